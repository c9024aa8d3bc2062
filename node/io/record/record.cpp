// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/record/record.hpp"

#include "common/base/mutex.hpp"
#include "common/show/recorded_note.hpp"
#include "node/io/parameters.hpp"
#include "node/io/record/disk_room.hpp"
#include "node/io/record/recording.hpp"
#include "node/io/record/video_encoder.hpp"

#include <atomic>
#include <ctime>
#include <set>
#include <string>
#include <utility>

namespace submix::io {
namespace {

using plugin::ParameterType;

constexpr double kLookSeconds = 1.0;
// A person needs about a minute to notice the warning and delete something.
constexpr double kRoomSeconds = 60.0;
// The parts of the last seconds stay on the disk until they are joined. The room must hold the
// joined file and a growing part.
constexpr double kJoinSlackSeconds = 5.0;
constexpr double kFramesWantedMax = 1e9;  // 48 days at 240 frames/s
constexpr const char* kRemedy =
    "make room or set this right, then switch \"recording\" off and on, or name another file";

std::tm local_time() {
  const auto now = std::time(nullptr);
  std::tm local{};
  ::localtime_r(&now, &local);
  return local;
}

/// The files that this process records to. Synchronized.
class RecordedFiles {
 public:
  static RecordedFiles& of_this_process() {
    static RecordedFiles files;
    return files;
  }
  /// False: another recording has it.
  [[nodiscard]] bool claim(const std::filesystem::path& path) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return claimed_.insert(path).second;
  }
  void release(const std::filesystem::path& path) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    claimed_.erase(path);
  }

 private:
  Mutex mutex_;
  std::set<std::filesystem::path> claimed_ SUBMIX_GUARDED_BY(mutex_);
};

class Record final : public plugin::Plugin {
 public:
  Record(const plugin::Setup& setup, MediaFolders folders)
      : setup_(setup), folders_(std::move(folders)) {}
  ~Record() override { [[maybe_unused]] const auto ended = end(); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  /// Starts a new recording by the parameters. Fails without an encoder; a file that cannot be made
  /// is only reported. A file that another recording has open is left alone until the first frame:
  /// that recording may belong to the former patch, and this instance to the next.
  Result<void> prepare() {
    failure_.clear();
    const auto codec = record_codec_named(parameter<std::string>(setup_.parameters, "codec"));
    auto encoder = VideoEncoder::open({codec}, setup_.size, setup_.rate);
    SUBMIX_TRY(encoder);
    auto place = find_recording(folders_, parameter<std::string>(setup_.parameters, "file"));
    if (!place) {
      fail_to_begin(place.error().message);
      return {};
    }
    place_ = std::move(*place);
    encoder_.emplace(std::move(*encoder));
    has_claim_ = RecordedFiles::of_this_process().claim(place_.path());
    if (has_claim_ && is_wanted()) begin();
    publish_trouble();
    return {};
  }

  std::optional<media::Frame> process(plugin::Work& work) override {
    const auto& input = work.inputs.front();
    const bool is_due = encoder_ && is_wanted();
    if (is_due && !recording_) take_over_file();
    if (is_due && recording_) write(input);
    publish_trouble();
    return input;
  }

  void set(std::string_view name, const show::ParameterValue& value) override {
    setup_.parameters.insert_or_assign(std::string(name), value);
    if (name == "recording") {
      is_wanted() ? try_again() : pause();
    } else {
      prepare_again();
    }
    publish_trouble();
  }

  /// Makes the file again after a failure, such as a full disk.
  void try_again() override {
    if (!encoder_) prepare_again();
  }

  std::string trouble() const override {
    const MutexLock lock(trouble_mutex_);
    return trouble_;
  }

  std::vector<std::pair<std::string, std::uint64_t>> counters() const override {
    return {{"recorded", frames_.load(std::memory_order_relaxed)},
            {"film_frames", film_frames_.load(std::memory_order_relaxed)},
            {"completed", completed_.load(std::memory_order_relaxed)},
            {"broken_off", broken_off_.load(std::memory_order_relaxed)},
            {"recorded_bytes", bytes_.load(std::memory_order_relaxed)},
            {"disk_free_bytes", bytes_free_.load(std::memory_order_relaxed)}};
  }

 private:
  [[nodiscard]] bool is_wanted() const { return parameter<bool>(setup_.parameters, "recording"); }
  /// 0: no frame is the last one.
  [[nodiscard]] std::uint64_t frames_wanted() const {
    return static_cast<std::uint64_t>(parameter<double>(setup_.parameters, "frames"));
  }
  [[nodiscard]] double keep_seconds() const {
    return parameter<double>(setup_.parameters, "keep_last_seconds");
  }

  VideoEncoder::Sink sink() {
    return [this](AVPacket& packet) { return recording_->write(packet); };
  }

  void write(const media::Frame& frame) {
    const auto written = encoder_->encode(frame, recording_->wants_key(), sink());
    if (!written) return break_off(written.error());
    frames_.fetch_add(1, std::memory_order_relaxed);
    look_at_disk();
    const auto frames = film_frames_.load(std::memory_order_relaxed) + 1;
    film_frames_.store(frames, std::memory_order_relaxed);
    if (frames == frames_wanted()) complete();
  }

  void break_off(const Error& error) {
    report(Severity::fault,
           fmt::format("{}; the recording ends here, the show goes on", error.message));
    [[maybe_unused]] const auto ended = end();
    mark_as_broken(error);
  }

  /// The last wanted frame is in the file.
  void complete() {
    if (const auto ended = end(); !ended) return mark_as_broken(ended.error());
    completed_.fetch_add(1, std::memory_order_relaxed);
  }

  void mark_as_broken(const Error& error) {
    failure_ = fmt::format("{}; nothing is recorded: {}", error.message, kRemedy);
    broken_off_.fetch_add(1, std::memory_order_relaxed);
  }

  // Once in a second of the show: the check is cheap, and no disk fills up within a frame.
  void look_at_disk() {
    const double seconds = ++frames_since_look_ * static_cast<double>(setup_.rate.denominator) /
                           static_cast<double>(setup_.rate.numerator);
    if (seconds < kLookSeconds) return;
    frames_since_look_ = 0;
    const bool was_short = room_.is_short();
    const auto bytes_free = place_.folder->bytes_free();
    room_.look(recording_->bytes_written(), bytes_free, seconds);
    bytes_.store(recording_->bytes_written(), std::memory_order_relaxed);
    bytes_free_.store(bytes_free.value_or(0), std::memory_order_relaxed);
    shortage_.clear();
    if (!room_.is_short()) return;
    shortage_ = fmt::format(
        "{}: the disk has {}, then the recording ends; make room, or name a file on another disk",
        film_.path().string(), room_.text());
    if (!was_short) report(Severity::warning, shortage_);
  }

  // A single file is renamed, and its writer continues. Parts are not renamed.
  void take_over_file() {
    if (!has_claim_) has_claim_ = RecordedFiles::of_this_process().claim(place_.path());
    if (has_claim_ || keep_seconds() == 0) return begin();
    failure_ = fmt::format(
        "{} is recorded to by another slot: nothing is recorded until that one ends; name "
        "another file",
        place_.path().string());
    if (!std::exchange(is_told_, true)) report(Severity::warning, failure_);
  }

  void begin() {
    TrackFormat track{encoder_->parameters(), encoder_->time_base()};
    const double keep = keep_seconds();
    film_ = place_.beside(film_name(place_.name, local_time()));
    if (keep > 0) {
      save_leftovers();
    } else {
      set_aside();
    }
    auto recording = keep > 0 ? RollingRecording::create(film_, std::move(track), keep)
                              : WholeRecording::create(film_, track);
    if (!recording) return fail_to_begin(recording.error().message);
    recording_ = std::move(*recording);
    bytes_.store(0, std::memory_order_relaxed);
    failure_.clear();
    room_ = DiskRoom(keep > 0 ? keep + kJoinSlackSeconds : kRoomSeconds);
    shortage_.clear();
    frames_since_look_ = 0;
    film_frames_.store(0, std::memory_order_relaxed);
  }

  void fail_to_begin(const std::string& why) {
    report(Severity::fault, fmt::format("{}; nothing is recorded", why));
    [[maybe_unused]] const auto ended = end();
    mark_as_broken({why});
    publish_trouble();
  }

  void prepare_again() {
    [[maybe_unused]] const auto ended = end();
    const auto prepared = prepare();
    if (prepared) return;
    report(Severity::fault, prepared.error().message);
    failure_ = fmt::format("{}; nothing is recorded", prepared.error().message);
  }

  /// Completes the file, if one is being written. Reports its failures itself.
  Result<void> end() {
    auto finished = finish();
    if (!finished) report(Severity::fault, finished.error().message);
    recording_.reset();
    encoder_.reset();
    if (std::exchange(has_claim_, false)) RecordedFiles::of_this_process().release(place_.path());
    return finished;
  }

  Result<void> finish() {
    if (!recording_) return {};
    auto flushed = encoder_->finish(sink());
    auto finished = recording_->finish();
    tell_where_it_lies();
    if (!finished) return finished;
    return flushed;
  }

  // Also of a film that breaks off: it can be played up to there.
  void tell_where_it_lies() {
    const bool has_frames = film_frames_.load(std::memory_order_relaxed) > 0;
    if (has_frames && film_.folder->entry_type(film_.name) != OpenFolder::EntryType::none)
      report(Severity::note, show::recorded_note(film_.path().string()));
  }

  // When recording is switched on again, the next film begins. The last seconds stay in their parts
  // and are continued: joining them now would hold the show up.
  void pause() {
    if (!recording_ || film_frames_.load(std::memory_order_relaxed) == 0) return;
    if (keep_seconds() == 0) return prepare_again();
    report(Severity::note, show::recorded_note(parts_name(film_.path().string())));
  }

  void save_leftovers() {
    const auto joined = join_leftover_parts(film_);
    if (!joined) return report(Severity::warning, joined.error().message);
    if (!*joined) return;
    report(Severity::note, fmt::format("{} was not finished by the process before; it is now {}",
                                       film_.path().string(), (*joined)->path().string()));
  }

  // Anything else of this name stays; making the new file then fails and says why.
  void set_aside() {
    if (film_.folder->entry_type(film_.name) != OpenFolder::EntryType::plain_file) return;
    const auto aside = numbered_beside(film_);
    if (!film_.folder->rename(film_.name, aside.name)) return;
    report(Severity::note, fmt::format("{} was there already; it is now {}", film_.path().string(),
                                       aside.path().string()));
  }

  /// While no recording is wanted, there is no trouble.
  void publish_trouble() {
    static const std::string kNone;
    const auto& now = !is_wanted() ? kNone : recording_ ? shortage_ : failure_;
    if (now == published_) return;
    published_ = now;
    const MutexLock lock(trouble_mutex_);
    trouble_ = now;
  }

  void report(Severity severity, std::string text) {
    if (setup_.events != nullptr) setup_.events->report(severity, setup_.about(), std::move(text));
  }

  plugin::Setup setup_;
  MediaFolders folders_;
  RecordingPlace place_;                 // by the parameters
  RecordingPlace film_;                  // where the newest film lies
  std::optional<VideoEncoder> encoder_;  // empty: nothing can be recorded
  // Null though there is an encoder: another recording has the file.
  std::unique_ptr<Recording> recording_;
  bool has_claim_ = false;  // this recording has claimed the file
  bool is_told_ = false;    // the wait for the file was reported
  DiskRoom room_;
  int frames_since_look_ = 0;
  std::string failure_;                        // why there is no recording, and the remedy
  std::string shortage_;                       // of room on the disk
  std::string published_;                      // last text of trouble_
  std::atomic<std::uint64_t> frames_{0};       // of all films
  std::atomic<std::uint64_t> film_frames_{0};  // of the newest film
  std::atomic<std::uint64_t> completed_{0};    // files that got all wanted frames
  std::atomic<std::uint64_t> broken_off_{0};   // recordings that could not begin or go on
  std::atomic<std::uint64_t> bytes_{0};  // written by the present recording until the last look
  std::atomic<std::uint64_t> bytes_free_{0};  // on its disk at the last look; 0: not known
  mutable Mutex trouble_mutex_;
  std::string trouble_ SUBMIX_GUARDED_BY(trouble_mutex_);
};

Result<void> check_name(const plugin::Setup& setup) {
  if (!parameter<std::string>(setup.parameters, "file").empty()) return {};
  return fail("{}: no file is named; set its parameter file", setup.about());
}

Result<void> check_place(const plugin::Setup& setup, const MediaFolders& folders) {
  const auto place = find_recording(folders, parameter<std::string>(setup.parameters, "file"));
  SUBMIX_TRY(place);
  if (auto checked = check_recorded_file(*place); !checked) return checked;
  if (parameter<double>(setup.parameters, "keep_last_seconds") == 0) return {};
  return check_parts_folder(*place);
}

}  // namespace

plugin::Description record_description() {
  return {
      .id = "record",
      .kind = plugin::Kind::output,
      .explanation = "Records every frame to a Matroska file, and passes it on",
      .author = "Submix",
      .parameters = {
          {"file", ParameterType::text,
           "a Matroska file below the node's folder for recordings; {time} is when its film begins",
           std::string("recording.mkv")},
          {"codec", ParameterType::text,
           "huffyuv (lossless, least work), ffv1 (lossless, half the size, five times the "
           "work), h264 or mjpeg",
           std::string("huffyuv"), 0.0, 1.0, record_codec_names()},
          {"keep_last_seconds", ParameterType::number,
           "keeps only the end of the show; 0: all of it", 0.0, 0.0, 3600.0},
          {.name = "frames",
           .explanation = "completes the file after so many frames; 0: at the end of the show",
           .initial = 0.0,
           .maximum = kFramesWantedMax,
           .is_integer = true},
          {"recording", ParameterType::boolean,
           "off: frames pass and are not recorded; on again: the next film", true},
      }};
}

Result<std::unique_ptr<plugin::Plugin>> make_record(const plugin::Setup& setup,
                                                    const MediaFolders& folders) {
  SUBMIX_TRY(check_name(setup));
  auto record = std::make_unique<Record>(setup, folders);
  if (auto prepared = record->prepare(); !prepared)
    return fail("{}: {}", setup.about(), prepared.error().message);
  return record;
}

Result<void> check_record(const plugin::Setup& setup, const MediaFolders& folders) {
  if (auto named = check_name(setup); !named) return named;
  const auto fail_of = [&](const Error& error) {
    return fail("{}: {}", setup.about(), error.message);
  };

  const auto codec = record_codec_named(parameter<std::string>(setup.parameters, "codec"));
  const auto encoder = VideoEncoder::open({codec}, setup.size, setup.rate);
  if (!encoder) return fail_of(encoder.error());

  if (!parameter<bool>(setup.parameters, "recording")) return {};
  const auto checked = check_place(setup, folders);
  return checked ? Result<void>() : fail_of(checked.error());
}

}  // namespace submix::io
