// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/clip_stream.hpp"

#include "common/base/result.hpp"
#include "node/io/sound/clip_follower.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

namespace submix::io {
namespace {

constexpr std::chrono::nanoseconds kPiece =
    std::chrono::nanoseconds(std::chrono::seconds(kClipSoundSamples)) / kSoundRateHz;
// A thread that had no core for longer than this does not catch up: the show has moved on.
constexpr std::chrono::milliseconds kLatenessMax{50};
constexpr std::chrono::seconds kSlotPatience{3};  // an edit of the submix may replace the slot
constexpr std::chrono::seconds kRetryPause{2};    // a file that fails may still be being copied
constexpr std::size_t kSlotsTold = 5;

class ClipStream final : public SoundStream {
 public:
  ClipStream(std::string slot, const ClipSounds& sounds, EventSink* events)
      : slot_(std::move(slot)), sounds_(sounds), events_(events) {}

  Result<std::span<const float>> next() override {
    wait_until_due();
    samples_.fill(0);
    if (const auto slot = sounds_.clips->find(slot_)) {
      seen_ = due_;
      if (const auto moment = slot->latest()) hear(*moment);
    } else if (due_ > seen_ + kSlotPatience) {
      file_.reset();  // opened again if the slot comes back
      sound_.reset();
      trouble_ = no_slot();
    }
    due_ += kPiece;
    return std::span<const float>(samples_);
  }
  // Negative: the next piece begins when this one has ended.
  [[nodiscard]] std::chrono::nanoseconds delay() const override {
    return std::chrono::steady_clock::now() - due_;
  }
  [[nodiscard]] std::string trouble() const override { return trouble_; }

 private:
  void wait_until_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now > due_ + kLatenessMax) due_ = now;
    std::this_thread::sleep_until(due_);
  }

  void hear(const PlayedMoment& moment) {
    const bool is_new = !file_ || *moment.file != *file_ || moment.sound_track != sound_track_;
    if (is_new) trouble_.clear();
    if (is_new || (failed_ && due_ > *failed_ + kRetryPause)) open(moment);
    const auto piece = follower_.next(moment, due_, samples_.size());
    if (!piece || !sound_) return;
    const auto outcome = sound_->read(*piece, samples_);
    if (!outcome) return give_up(outcome.error());
    if (*outcome == ClipSound::Outcome::no_track) return rest();
    if (*outcome == ClipSound::Outcome::late) return;
    trouble_.clear();
    tell_damage();
  }

  void open(const PlayedMoment& moment) {
    file_ = moment.file;
    sound_track_ = moment.sound_track;
    sound_.reset();
    failed_.reset();
    has_told_damage_ = false;
    follower_.jump();
    auto file = open_clip(sounds_.folders, *file_);
    if (!file) return give_up(file.error());
    if (file->is_series()) return rest();
    file->sound_track = sound_track_;
    auto sound = sounds_.open(*std::move(file), slot_);
    if (!sound) return give_up(sound.error());
    sound_ = *std::move(sound);
  }

  /// Until another file plays.
  void rest() {
    sound_.reset();
    trouble_ = fmt::format("clip {} in slot {} has no sound; what follows it rests", *file_, slot_);
  }

  void give_up(const Error& error) {
    sound_.reset();
    failed_ = due_;
    trouble_ = fmt::format("the sound of the clip in slot {} fails: {}; tried again every {} s",
                           slot_, error.message, kRetryPause.count());
  }

  [[nodiscard]] std::string no_slot() const {
    const auto slots = sounds_.clips->slots();
    const auto told = std::span(slots).first(std::min(slots.size(), kSlotsTold));
    const auto present = slots.empty() ? std::string("this node plays no clip")
                                       : fmt::format("its clips are in {}", fmt::join(told, ", "));
    return fmt::format(
        "no clip plays in slot {} here; {}; name the node and slot of a clip: submix sound from "
        "NODE clip:SUBMIX.SLOT",
        slot_, present);
  }

  void tell_damage() {
    const auto damaged_at = sound_->damaged_at();
    if (!damaged_at || std::exchange(has_told_damage_, true) || events_ == nullptr) return;
    events_->report(Severity::warning, "sound",
                    fmt::format("clip {} in slot {}: its sound is damaged or missing at {:.2f} s; "
                                "such parts are silence",
                                *file_, slot_, *damaged_at));
  }

  const std::string slot_;
  const ClipSounds& sounds_;
  EventSink* const events_;
  std::shared_ptr<const std::string> file_;  // null: none yet
  int sound_track_ = 0;                      // of the file, as in OpenFile
  std::unique_ptr<ClipSound> sound_;         // null: the file has no sound, or it fails
  std::optional<LocalTime> failed_;
  ClipFollower follower_;
  std::string trouble_;
  bool has_told_damage_ = false;
  LocalTime due_ = std::chrono::steady_clock::now();  // of the next piece
  LocalTime seen_ = due_;                             // the slot, last
  std::array<float, kClipSoundSamples> samples_{};
};

}  // namespace

std::unique_ptr<SoundStream> make_clip_stream(const std::string& slot, const ClipSounds& sounds,
                                              EventSink* events) {
  return std::make_unique<ClipStream>(slot, sounds, events);
}

}  // namespace submix::io
