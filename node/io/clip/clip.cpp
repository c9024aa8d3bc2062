// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/clip.hpp"

#include "common/show/clip_bank.hpp"
#include "common/show/clip_beats.hpp"
#include "common/show/picture_series.hpp"
#include "node/io/clip/bank_sources.hpp"
#include "node/io/clip/clip_timeline.hpp"
#include "node/io/clip/missing_source.hpp"
#include "node/io/parameters.hpp"
#include "node/io/picture_fit.hpp"
#include "node/plugin/black_frame.hpp"
#include "node/plugin/trouble.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

namespace submix::io {
namespace {

// Decoding counts as too slow when more than a quarter of the pictures are late for two seconds. A
// jump alone makes some late.
constexpr double kLatenessSeconds = 2;
constexpr int kLatePicturesMax = 4;  // one of so many
// Opening may begin a process, so a file that is not there is not tried with each frame.
constexpr double kRetrySeconds = 2;
// People and file headers round a clip's length.
constexpr double kEndErrorSeconds = 0.5;
// Finding the end of a clip may change a frame's moment, which may lead to another end.
constexpr int kEndCorrectionsMax = 3;

Result<OpenFile> open_file(const MediaFolders& folders, std::string_view file,
                           const show::Parameters& parameters) {
  return open_clip(folders, file, parameter<double>(parameters, "series_rate"));
}

std::size_t whole_number(const show::Parameters& parameters, std::string_view name) {
  return static_cast<std::size_t>(std::lround(parameter<double>(parameters, name)));
}

Result<void> check_range(const plugin::Setup& setup, const PictureSource& source) {
  const auto in = parameter<double>(setup.parameters, "in");
  const auto out = parameter<double>(setup.parameters, "out");
  const auto end = source.report().length.end_seconds;
  if (out > 0 && out <= in)
    return fail("{}: in point {} s is not before the out point {} s", setup.about(), in, out);
  if (end > 0 && in >= end) {
    return fail("{}: in point {} s is past the end of {}, at {:.2f} s; set it lower", setup.about(),
                in, source.name(), end);
  }
  if (end > 0 && out > end + kEndErrorSeconds) {
    return fail(
        "{}: out point {} s is past the end of {}, at {:.2f} s; set it lower, or to 0: the "
        "clip's end",
        setup.about(), out, source.name(), end);
  }
  return {};
}

SourceSetup clip_setup(const plugin::Setup& setup, std::size_t number) {
  auto source = source_setup(setup);
  source.begin_seconds = show::clip_part_of(setup.parameters, number).begin;
  return source;
}

class Clip final : public plugin::Plugin {
 public:
  Clip(const plugin::Setup& setup, MediaFolders folders, SourceOpener opener,
       std::unique_ptr<PictureSource> source, std::shared_ptr<PlayedSlot> played)
      : setup_(setup),
        folders_(std::move(folders)),
        opener_(std::move(opener)),
        frames_retained_(1 + source->frames_retained()),
        source_(std::move(source)),
        played_(std::move(played)),
        bank_(show::clip_bank_of(setup.parameters)),
        playing_(clip_number(setup.parameters, bank_)),
        playing_file_(bank_[playing_ - 1].file),
        point_(whole_number(setup.parameters, show::kCuePoint)),
        timeline_(setup.rate),
        fit_(fit_named(parameter<std::string>(setup.parameters, "fit"))) {
    timeline_.set_loop(parameter<bool>(setup.parameters, "loop"));
    timeline_.set_speed(parameter<double>(setup.parameters, "speed"), {});
    timeline_.set_offset(parameter<double>(setup.parameters, "offset"), {}, {});
    timeline_.set_beats(parameter<double>(setup.parameters, show::kClipBeats), {}, {});
    timeline_.set_range(range_of_clip(setup.parameters, playing_, source_->report().length));
    is_range_moved_ = true;  // the first frame tells of a range that does not fit
    waiting_.set(bank_, playing_);
    source_trouble_ = source_->trouble();
    tell_trouble();
    note_file();
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    if (beat_) timeline_.tell_beat(*beat_, work.stamp.index, source_->report().length);
    if (!std::exchange(has_begun_, true)) begin_at(work.first);
    if (is_bank_new_) take_bank();
    if (is_rate_new_) take_rate();
    take_next_file();
    take_clip(work.stamp.index);
    take_range(work.stamp.index);
    take_point(work.stamp.index);
    look_at_beats();
    auto output = work.acquire_output();
    if (!output) return std::nullopt;

    auto painted = paint(work, *std::move(output));
    next_index_ = work.stamp.index.next();
    look_at_report();
    note_position(work.stamp.index);
    if (painted.outcome == PaintedPicture::Outcome::stopped) return std::nullopt;
    count_lateness(painted);
    if (!painted.output) return held_picture(work);
    last_ = (*std::move(painted.output)).publish();
    return last_;
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    if (name == show::kClipFile || name == show::kClipBank || name == show::kClipPoints)
      is_bank_new_ = true;
    if (name == "series_rate") is_rate_new_ = true;
    if (name == "loop") timeline_.set_loop(std::get<bool>(value));
    if (name == "speed") timeline_.set_speed(std::get<double>(value), next_index_);
    if (name == "offset")
      timeline_.set_offset(std::get<double>(value), next_index_, source_->report().length);
    if (name == show::kClipBeats)
      timeline_.set_beats(std::get<double>(value), next_index_, source_->report().length);
    if (name == show::kClipIn || name == show::kClipOut) is_range_moved_ = true;
    if (name == show::kClipParts) is_range_moved_ = is_bank_new_ = true;
    if (name == "fit") {
      fit_ = fit_named(std::get<std::string>(value));
      painted_serial_ = 0;
    }
  }

  void tell_beat(const plugin::Beat& beat) override { beat_ = beat; }

  void try_again() override {
    if (!source_->is_missing()) return source_->try_again();
    const bool has_tried = is_bank_new_ && take_bank();
    if (!has_tried) open_next_file();
  }
  plugin::PluginTraits traits() const override {
    return {.frames_retained = frames_retained_, .shares_outputs = opener_.is_elsewhere()};
  }

  std::string trouble() const override { return trouble_.text(); }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    const auto decoding = std::chrono::nanoseconds(decoding_ns_.load(std::memory_order_relaxed));
    const auto decoding_us =
        std::chrono::duration_cast<std::chrono::microseconds>(decoding).count();
    return {{"damaged", damaged_.load(std::memory_order_relaxed)},
            {"held", held_.load(std::memory_order_relaxed)},
            {"position_ms", position_ms_.load(std::memory_order_relaxed)},
            {"end_ms", end_ms_.load(std::memory_order_relaxed)},
            // This and the next two: for the planner.
            {"decoding_us", static_cast<std::uint64_t>(decoding_us)},
            {"own_width", own_width_.load(std::memory_order_relaxed)},
            {"own_height", own_height_.load(std::memory_order_relaxed)},
            {"clip", clip_.load(std::memory_order_relaxed)}};
  }

 private:
  // With a negative offset, a clip that does not loop would first wait at its beginning.
  void begin_at(FrameIndex first) {
    timeline_.begin_at(first);
    const auto offset = parameter<double>(setup_.parameters, "offset");
    if (offset < 0) timeline_.set_offset(offset, first, source_->report().length);
  }

  // Runs when all parts of a change have come. True: it has tried to open a file.
  bool take_bank() {
    is_bank_new_ = false;
    const auto former = std::exchange(bank_, show::clip_bank_of(setup_.parameters));
    const bool has_other_files =
        !std::ranges::equal(former, bank_, {}, &show::BankClip::file, &show::BankClip::file);
    const bool has_tried = has_other_files && take_files();
    waiting_.set(bank_, playing_);
    return has_tried;
  }

  // The clip that plays may have another number now.
  bool take_files() {
    const auto is_playing = [this](std::size_t number) {
      return number >= 1 && number <= bank_.size() && bank_[number - 1].file == playing_file_;
    };
    const auto wanted = whole_number(setup_.parameters, show::kBankClip);
    if (is_playing(wanted)) {
      playing_ = wanted;
    } else if (playing_ <= bank_.size() && !is_playing(playing_)) {
      open_next_file();
      return true;
    }
    return false;
  }

  // A series is opened again, after any file that is being opened now.
  void take_rate() {
    if (next_source_) return;
    is_rate_new_ = false;
    if (show::series_name(playing_file_)) open_next_file();
    const auto is_series = [](const auto& clip) {
      return show::series_name(clip.file).has_value();
    };
    if (std::ranges::any_of(bank_, is_series)) waiting_ = {};
    waiting_.set(bank_, playing_);
  }

  // The present clip plays on until the wanted one is ready, and then waits in the bank.
  void take_clip(FrameIndex now) {
    const auto refuse = [this](const Error& error) { refuse_next_file(error); };
    try_wanted_again(now);
    waiting_.open_next([this](const auto& file, double begin) { return open_waiting(file, begin); },
                       refuse);
    const auto wanted = whole_number(setup_.parameters, show::kBankClip);
    if (wanted == playing_ || next_source_) return;
    auto source = waiting_.take(wanted, refuse);
    if (!source) return;
    replace_source(std::move(source));
    playing_ = wanted;
    playing_file_ = bank_[playing_ - 1].file;
    note_file();
    waiting_.set(bank_, playing_);
    timeline_.jump_to(0, now);
  }

  // The file of the wanted clip may come, or come back.
  void try_wanted_again(FrameIndex now) {
    const auto wanted = whole_number(setup_.parameters, show::kBankClip);
    const bool is_new = std::exchange(wanted_, wanted) != wanted;
    const auto frames = static_cast<std::uint64_t>(kRetrySeconds * setup_.rate.frames_per_second());
    const bool is_due = now.value % std::max<std::uint64_t>(1, frames) == 0;
    if (wanted != playing_ && (is_new || is_due)) waiting_.try_again(wanted);
  }

  [[nodiscard]] Result<std::unique_ptr<PictureSource>> open_waiting(const std::string& file,
                                                                    double begin_seconds) {
    auto opened = open_file(folders_, file, setup_.parameters);
    SUBMIX_TRY(opened);
    auto source = source_setup(setup_);
    source.ahead_seconds = BankSources::kAheadSeconds;
    source.begin_seconds = begin_seconds;
    return opener_.open(*std::move(opened), source);
  }

  void take_point(FrameIndex now) {
    const auto point = whole_number(setup_.parameters, show::kCuePoint);
    if (point == std::exchange(point_, point) || playing_ > bank_.size()) return;
    const auto& points = bank_[playing_ - 1].points;
    if (point == 0 || point > points.size()) return;
    timeline_.jump_to(points[point - 1] - timeline_.range().in_seconds, now);
  }

  // Runs when all parts of a change have come, since a change may move both points.
  void take_range(FrameIndex now) {
    const bool is_moved = std::exchange(is_range_moved_, false);
    const bool is_new = std::exchange(is_range_new_, false);
    if (!is_new && !is_moved) return;
    bank_[0].part = show::clip_part_of(setup_.parameters, 1);
    waiting_.set_begin(1, bank_[0].part.begin);
    if (playing_ > bank_.size()) return;

    const auto length = source_->report().length;
    const auto range = range_of_clip(setup_.parameters, playing_, length);
    const auto checked = playing_ == 1 ? check_range(setup_, *source_) : check_part();
    const bool is_refused = !checked && playing_ == 1;
    if (is_new) timeline_.set_range(is_refused ? ClipRange{} : range, now, length);
    if (!is_new && !is_refused && range != timeline_.range())
      timeline_.move_range(range, now, length);
    tell_range(checked, is_refused && !is_new);
  }

  // Parts of clips 2 to 8 are not refused: a file that has become shorter shall not end a show.
  [[nodiscard]] Result<void> check_part() const {
    const auto part = bank_[playing_ - 1].part;
    const double end = source_->report().length.end_seconds;
    if (end <= 0 || part.begin < end) return {};
    return fail(
        "{}: clip {} plays whole: its part begins at {} s, past the end of {}, at {:.2f} s; "
        "choose an earlier part",
        setup_.about(), playing_, part.begin, source_->name(), end);
  }

  void tell_range(const Result<void>& checked, bool plays_on) {
    auto trouble = checked ? std::string() : checked.error().message;
    if (!checked && playing_ == 1)
      trouble += fmt::format("; {}, but the clip cannot be started like this: set them right",
                             plays_on ? "what played before plays on" : "it plays whole");
    if (trouble == range_trouble_) return;
    range_trouble_ = std::move(trouble);
    if (!range_trouble_.empty()) report(Severity::warning, range_trouble_);
    tell_trouble();
  }

  // A short tempo and a long clip: the speed has a limit.
  void look_at_beats() {
    const double wanted = parameter<double>(setup_.parameters, show::kClipBeats);
    const double lasting = timeline_.lasting_beats();
    if (std::pair(wanted, lasting) == std::exchange(told_beats_, std::pair(wanted, lasting)))
      return;
    const bool is_longer = lasting > wanted;
    beats_trouble_ =
        is_longer ? fmt::format(
                        "clip {}: what it plays lasts {:g} beats, not {:g}: its speed would exceed "
                        "{:g}; set beats to {:g} or more, or play less of it",
                        source_->name(), lasting, wanted, show::kClipSpeedMax, lasting)
                  : std::string();
    tell_trouble();
  }

  void open_next_file() {
    playing_file_ = playing_ > bank_.size() ? playing_file_ : bank_[playing_ - 1].file;
    auto file = open_file(folders_, playing_file_, setup_.parameters);
    auto source = file ? opener_.open(std::move(*file), clip_setup(setup_, playing_))
                       : tl::unexpected(file.error());
    next_source_ = nullptr;
    if (!source) return refuse_next_file(source.error());
    next_source_ = std::move(*source);
  }

  /// The present clip plays on until the next one's first picture is decoded.
  void take_next_file() {
    if (!next_source_) return;
    const auto ready = next_source_->is_ready(PictureSource::SteadyTime{});
    if (ready && !*ready) return;
    auto source = std::exchange(next_source_, nullptr);
    if (!ready) return refuse_next_file(ready.error());
    replace_source(std::move(source));
    note_file();
  }

  void note_file() { shown_file_ = std::make_shared<const std::string>(playing_file_); }

  void replace_source(std::unique_ptr<PictureSource> source) {
    source_ = std::move(source);
    decoded_before_ += std::exchange(decoded_now_, {});
    painted_serial_ = 0;
    has_reported_damage_ = has_reported_cut_ = has_reported_gap_ = false;
    is_range_new_ = true;
  }

  void refuse_next_file(const Error& error) const {
    const auto* rest = source_->is_missing() ? "it stays black" : "the clip before it plays on";
    report(Severity::warning, fmt::format("{}; {}", error.message, rest));
  }

  // A paced patch waits for a picture only if it has no other to show.
  PaintedPicture paint(const plugin::Work& work, media::WritableFrame output) {
    using Outcome = PaintedPicture::Outcome;
    PaintedPicture painted{Outcome::held, std::move(output)};
    auto known = painted_serial_;
    bool is_drawn = false;
    for (int i = 0; i < kEndCorrectionsMax && painted.output; ++i) {
      const auto course = course_of(work.stamp.index);
      const PictureRequest request{course, setup_.is_paced && last_, fit_, known};
      painted = source_->paint(request, *std::move(painted.output), work.stop);
      if (painted.outcome == Outcome::painted) {
        is_drawn = true;
        known = source_->report().serial;
      }
      if (painted.is_late || course == course_of(work.stamp.index)) break;
    }
    if (!painted.output) return painted;

    if (!is_drawn) {  // the same picture again: copying is cheaper
      const auto pixels = painted.output->rgba();
      std::memcpy(pixels.data(), last_.rgba().data(), pixels.size());
    }
    painted_serial_ = known;
    return painted;
  }

  [[nodiscard]] Course course_of(FrameIndex index) const {
    return timeline_.course_at(index, source_->report().length);
  }

  /// Repeats the last picture in place of a late one.
  [[nodiscard]] std::optional<media::Frame> held_picture(plugin::Work& work) const {
    if (last_) return last_;
    return plugin::black_frame(work);
  }

  // A source that does not answer, such as a restarting decoder, tells nothing about the speed.
  void count_lateness(const PaintedPicture& painted) {
    if (painted.is_late) held_.fetch_add(1, std::memory_order_relaxed);
    if (painted.outcome == PaintedPicture::Outcome::late) return;
    late_frames_ += painted.is_late ? 1 : 0;
    if (++frames_watched_ < kLatenessSeconds * setup_.rate.frames_per_second()) return;
    const bool is_slow = late_frames_ * kLatePicturesMax > frames_watched_;
    late_frames_ = frames_watched_ = 0;
    if (is_slow == !slow_trouble_.empty()) return;
    slow_trouble_ = is_slow ? trouble_of_speed() : std::string();
    tell_trouble();
  }

  [[nodiscard]] std::string trouble_of_speed() const {
    return fmt::format(
        "clip {}: decoding cannot keep speed {:g}: pictures come late, and the show holds the one "
        "before; set a speed nearer to 0, or take a clip with fewer pixels or more key pictures",
        source_->name(), course_of(next_index_).step_seconds * setup_.rate.frames_per_second());
  }

  void look_at_report() {
    const auto& found = source_->report();
    decoded_now_ = found.decoding;
    decoding_ns_.store((decoded_before_ + decoded_now_).count(), std::memory_order_relaxed);
    damaged_.store(found.faults, std::memory_order_relaxed);
    own_width_.store(static_cast<std::uint64_t>(found.own_size.width), std::memory_order_relaxed);
    own_height_.store(static_cast<std::uint64_t>(found.own_size.height), std::memory_order_relaxed);
    report_damage(found);
    if (auto trouble = source_->trouble(); trouble != source_trouble_) {
      source_trouble_ = std::move(trouble);
      tell_trouble();
    }
  }

  void note_position(FrameIndex index) {
    const auto milliseconds = [](double seconds) {
      return static_cast<std::uint64_t>(std::llround(std::max(0.0, seconds) * 1000));
    };
    const auto course = course_of(index);
    position_ms_.store(milliseconds(course.seconds), std::memory_order_relaxed);
    if (played_) {
      const auto frame_time = setup_.rate.time_of(FrameIndex{1});
      played_->tell({shown_file_, course, frame_time, std::chrono::steady_clock::now(),
                     sound_track_number(setup_.parameters)});
    }
    clip_.store(playing_, std::memory_order_relaxed);
    end_ms_.store(milliseconds(source_->report().length.end_seconds), std::memory_order_relaxed);
  }

  void report_damage(const SourceReport& found) {
    const auto& file = source_->name();
    if (found.damaged_at && !std::exchange(has_reported_damage_, true)) {
      report(Severity::warning, fmt::format("clip {}: {}; the last good picture is held there",
                                            file, damage_text(found)));
    }
    if (found.series && found.series->beyond > 0 && !std::exchange(has_reported_gap_, true)) {
      const auto& [first, last, beyond] = *found.series;
      report(Severity::warning,
             fmt::format("clip {}: plays the pictures {} to {}, since {} is missing before {}; add "
                         "what is missing, and open the clip again",
                         file, first, last, std::uint64_t{last} + 1, beyond));
    }
    if (found.missing_seconds > 0 && !std::exchange(has_reported_cut_, true)) {
      const auto end = found.length.end_seconds;
      report(Severity::warning,
             fmt::format("clip {}: cut off at {:.2f} s, its header says {:.2f} s; it ends there",
                         file, end, end + found.missing_seconds));
    }
    if (found.is_unpaintable && !std::exchange(has_reported_format_, true)) {
      report(Severity::fault,
             fmt::format("clip {}: its pixels have a format that cannot be converted; it is black",
                         file));
    }
  }

  [[nodiscard]] std::string damage_text(const SourceReport& found) const {
    const auto name = show::series_name(source_->name());
    if (!found.series || !name) return fmt::format("damaged at {:.2f} s", *found.damaged_at);
    const auto place = std::llround(*found.damaged_at / found.length.picture_seconds);
    const auto number = found.series->first + static_cast<std::uint32_t>(place);
    return fmt::format("{} cannot be read or decoded", show::picture_name(*name, number));
  }

  void tell_trouble() {
    for (const auto* trouble : {&source_trouble_, &range_trouble_, &beats_trouble_}) {
      if (!trouble->empty()) return trouble_.set(*trouble);
    }
    trouble_.set(slow_trouble_);
  }

  void report(Severity severity, std::string text) const {
    if (setup_.events != nullptr) setup_.events->report(severity, setup_.about(), std::move(text));
  }

  plugin::Setup setup_;
  const MediaFolders folders_;
  const SourceOpener opener_;
  const std::size_t frames_retained_;
  std::unique_ptr<PictureSource> source_;
  const std::shared_ptr<PlayedSlot> played_;       // null: nobody wants to know what plays
  std::shared_ptr<const std::string> shown_file_;  // of `source_`, as the show names it
  show::ClipBank bank_;
  std::size_t playing_;  // the clip, from 1; beyond the bank: removed from it while playing
  std::string playing_file_;
  std::size_t point_;                           // the parameter, as last seen
  std::size_t wanted_ = 0;                      // the clip, as last seen
  BankSources waiting_;                         // the other clips
  std::unique_ptr<PictureSource> next_source_;  // null: no other file is being opened
  ClipTimeline timeline_;
  std::optional<plugin::Beat> beat_;        // at the next frame
  std::pair<double, double> told_beats_{};  // wanted and lasting, as in `beats_trouble_`
  Fit fit_;
  FrameIndex next_index_;             // a change of speed applies from here
  media::Frame last_;                 // as painted
  std::uint64_t painted_serial_ = 0;  // of the picture in `last_`; 0: paint it again
  bool has_begun_ = false;
  bool is_bank_new_ = false;
  bool is_range_new_ = false;    // a file was replaced
  bool is_range_moved_ = false;  // by a parameter
  bool is_rate_new_ = false;
  bool has_reported_damage_ = false;
  bool has_reported_cut_ = false;
  bool has_reported_gap_ = false;
  bool has_reported_format_ = false;
  std::string range_trouble_;
  std::string beats_trouble_;
  std::string source_trouble_;
  std::string slow_trouble_;
  int frames_watched_ = 0;                      // since lateness was last judged
  int late_frames_ = 0;                         // of these
  std::chrono::nanoseconds decoded_before_{0};  // by the sources of former files
  std::chrono::nanoseconds decoded_now_{0};     // by the present source
  plugin::Trouble trouble_;
  std::atomic<std::uint64_t> damaged_{0};
  std::atomic<std::uint64_t> held_{0};         // frames whose picture was not there in time
  std::atomic<std::uint64_t> position_ms_{0};  // of the newest frame, in the clip
  std::atomic<std::uint64_t> end_ms_{0};       // of the clip; 0: not known yet
  std::atomic<std::int64_t> decoding_ns_{0};
  std::atomic<std::uint64_t> clip_{1};       // that plays
  std::atomic<std::uint64_t> own_width_{0};  // of the last painted picture, in its own pixels
  std::atomic<std::uint64_t> own_height_{0};
};

}  // namespace

std::size_t clip_number(const show::Parameters& parameters, const show::ClipBank& bank) {
  const auto number = whole_number(parameters, show::kBankClip);
  return number >= 1 && number <= bank.size() ? number : 1;
}

ClipRange range_of_clip(const show::Parameters& parameters, std::size_t number, ClipLength length) {
  const auto part = show::clip_part_of(parameters, number);
  const bool is_beyond = length.end_seconds > 0 && part.begin >= length.end_seconds;
  if (number != 1 && is_beyond) return {};
  return {part.begin, part.end};
}

int sound_track_number(const show::Parameters& parameters) {
  return static_cast<int>(whole_number(parameters, "sound_track"));
}

Result<std::unique_ptr<plugin::Plugin>> make_clip(const plugin::Setup& setup,
                                                  const MediaFolders& folders,
                                                  const SourceOpener& opener,
                                                  const std::shared_ptr<PlayedClips>& clips) {
  const auto bank = show::clip_bank_of(setup.parameters);
  const auto playing = clip_number(setup.parameters, bank);
  const auto& file = bank[playing - 1].file;
  if (file.empty()) return fail("{}: no clip is named; set its parameter file", setup.about());
  auto source = open_or_miss(opener, open_file(folders, file, setup.parameters),
                             clip_setup(setup, playing), setup.is_bypassed);
  if (!source) return fail("{}: clip {}", setup.about(), source.error().message);
  if (playing == 1) SUBMIX_TRY(check_range(setup, **source));
  return std::make_unique<Clip>(setup, folders, opener, *std::move(source),
                                clips ? clips->join(setup.about()) : nullptr);
}

}  // namespace submix::io
