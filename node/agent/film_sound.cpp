// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/film_sound.hpp"

#include "common/base/result.hpp"
#include "common/show/clip_bank.hpp"
#include "common/show/clip_beats.hpp"
#include "common/show/lookup.hpp"
#include "node/engine/beat.hpp"
#include "node/io/clip/clip.hpp"
#include "node/io/clip/clip_timeline.hpp"
#include "node/io/parameters.hpp"
#include "node/io/sound/sound_analysis.hpp"
#include "node/io/sound/sound_stream.hpp"
#include "node/plugin/parameters.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

constexpr std::size_t kPieceSamples = io::kClipSoundSamples;
static_assert(kPieceSamples == io::SoundAnalysis::kHopSamples);

using Seconds = std::chrono::duration<double>;

Seconds time_of_piece(std::size_t piece) {
  return Seconds(static_cast<double>(piece * kPieceSamples) / io::kSoundRateHz);
}

/// The clip of a slot's bank that plays from the film's beginning on.
struct FilmClip {
  std::string slot;
  std::string file;
  std::size_t number = 1;       // in the bank
  show::Parameters parameters;  // of the slot, all of them
  FrameRate rate;
  show::Tempo tempo;

  friend bool operator==(const FilmClip&, const FilmClip&) = default;
};

/// Empty: the show does not follow a clip of its own. The values were checked with the show.
std::optional<FilmClip> clip_heard_in(const show::Show& show) {
  const auto port = show::heard_clip(show);
  if (!port) return std::nullopt;
  plugin::Setup setup{};
  setup.submix = port->submix;
  setup.slot = port->slot;
  setup.parameters = show.find_slot(*port)->parameters;
  if (!plugin::complete_parameters(io::clip_description(), setup)) return std::nullopt;
  const auto bank = show::clip_bank_of(setup.parameters);
  const auto playing = io::clip_number(setup.parameters, bank);
  return FilmClip{setup.about(), bank[playing - 1].file, playing, setup.parameters, show.rate,
                  show.tempo};
}

/// The clip's moment at the first frame, and its pace.
io::Course first_course(const FilmClip& clip, double length_seconds) {
  const auto number = [&](std::string_view name) {
    return io::parameter<double>(clip.parameters, name);
  };
  const io::ClipLength length{.end_seconds = length_seconds};
  io::ClipTimeline timeline(clip.rate);
  timeline.set_range(io::range_of_clip(clip.parameters, clip.number, length));
  timeline.set_loop(io::parameter<bool>(clip.parameters, "loop"));
  timeline.set_speed(number("speed"), {});
  timeline.set_offset(number("offset"), {}, length);
  timeline.set_beats(number(show::kClipBeats), {}, length);
  timeline.tell_beat(engine::beat_of(clip.tempo, clip.rate, {}), {}, length);
  timeline.begin_at({});
  return timeline.course_at({}, length);
}

}  // namespace

/// One clip's sound from the film's beginning on.
class FilmSound::Hearing {
 public:
  explicit Hearing(FilmClip clip) : clip_(std::move(clip)) {}

  [[nodiscard]] const FilmClip& clip() const { return clip_; }
  /// Why there is silence; empty: the clip is heard.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  Result<void> open(const io::MediaFolders& folders, const io::ClipSoundOpener& opener) {
    auto file = io::open_clip(folders, clip_.file);
    SUBMIX_TRY(file);
    if (file->is_series()) return fail("{}: numbered pictures have no sound", clip_.file);
    file->sound_track = io::sound_track_number(clip_.parameters);
    auto sound = opener(*std::move(file), clip_.slot);
    SUBMIX_TRY(sound);
    sound_ = *std::move(sound);
    SUBMIX_TRY(read({}));  // an answer tells the length
    course_ = first_course(clip_, sound_->length_seconds());
    return {};
  }

  void end_with(const Error& error) {
    trouble_ = fmt::format("the sound of the clip in slot {}: {}", clip_.slot, error.message);
    sound_.reset();
  }

  Sound at(FrameIndex frame) {
    while (frames_.size() <= frame.value)
      frames_.push_back(hear_until(clip_.rate.time_of({frames_.size()})));
    return frames_[frame.value];
  }

 private:
  Sound hear_until(Seconds moment) {
    for (; sound_ && time_of_piece(pieces_ + 1) <= moment; ++pieces_)
      hear_piece();
    return sound_ ? heard_ : Sound();
  }

  void hear_piece() {
    const double speed = course_.step_seconds * clip_.rate.frames_per_second();
    auto piece = course_;
    piece.seconds = course_.in_loop(course_.seconds + speed * time_of_piece(pieces_).count());
    piece.step_seconds = speed / io::kSoundRateHz;
    if (const auto done = read(piece); !done) return end_with(done.error());
    heard_ = analysis_.hear(samples_);
  }

  /// However long it takes: a film does not hurry.
  Result<void> read(const io::Course& course) {
    for (;;) {
      const auto outcome = sound_->read(course, samples_);
      SUBMIX_TRY(outcome);
      if (*outcome == io::ClipSound::Outcome::no_track) return fail("{} has no sound", clip_.file);
      if (*outcome == io::ClipSound::Outcome::read) return {};
    }
  }

  const FilmClip clip_;
  std::unique_ptr<io::ClipSound> sound_;  // null: it failed
  io::Course course_;
  io::SoundAnalysis analysis_{io::kSoundRateHz};
  std::array<float, kPieceSamples> samples_{};
  std::size_t pieces_ = 0;  // heard
  Sound heard_;
  std::string trouble_;
  std::vector<Sound> frames_;  // from the film's first on
};

FilmSound::FilmSound(io::MediaFolders folders, io::ClipSoundOpener opener)
    : folders_(std::move(folders)), opener_(std::move(opener)) {}

FilmSound::~FilmSound() = default;

void FilmSound::follow(const show::Show& show) {
  auto clip = clip_heard_in(show);
  const MutexLock lock(mutex_);
  if (hearing_ && clip == hearing_->clip()) return;
  hearing_.reset();
  if (!clip) return;
  hearing_ = std::make_unique<Hearing>(*std::move(clip));
  if (const auto opened = hearing_->open(folders_, opener_); !opened)
    hearing_->end_with(opened.error());
}

Sound FilmSound::at(FrameIndex frame) const {
  const MutexLock lock(mutex_);
  return hearing_ ? hearing_->at(frame) : Sound();
}

telemetry::SoundReading FilmSound::reading() const {
  const MutexLock lock(mutex_);
  telemetry::SoundReading reading;
  reading.is_listening = hearing_ != nullptr;
  if (hearing_) reading.trouble = hearing_->trouble();
  return reading;
}

}  // namespace submix::agent
