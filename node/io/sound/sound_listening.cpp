// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_listening.hpp"

#include "common/show/sound.hpp"
#include "node/io/sound/sound_analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <span>

namespace submix::io {
namespace {

constexpr std::chrono::seconds kSoundPatience{5};     // for an input that gives nothing
constexpr std::chrono::milliseconds kSoundHeld{200};  // for the last numbers, if nothing comes
// Each call becomes a message to all nodes. An input without a clock would deliver samples as fast
// as they are read.
constexpr std::chrono::milliseconds kToldPauseMin{8};

/// Cuts samples into hops and analyses them.
class Hops {
 public:
  explicit Hops(const std::function<void(const HeardMoment&)>& heard) : heard_(heard) {}

  /// `end`: the time of the last sample.
  void add(std::span<const float> samples, LocalTime end) {
    while (!samples.empty()) {
      const auto taken = samples.first(std::min(samples.size(), hop_.size() - filled_));
      std::ranges::copy(taken, hop_.begin() + static_cast<std::ptrdiff_t>(filled_));
      filled_ += taken.size();
      samples = samples.subspan(taken.size());
      if (filled_ < hop_.size()) return;
      filled_ = 0;
      const auto sound = analysis_.hear(hop_);
      tell({sound, analysis_.beat(), end - duration_of(samples.size())});
    }
  }

 private:
  static std::chrono::nanoseconds duration_of(std::size_t samples) {
    return std::chrono::nanoseconds(std::chrono::seconds(samples)) / kSoundRateHz;
  }
  void tell(const HeardMoment& moment) {
    const auto now = std::chrono::steady_clock::now();
    if (now < told_ + kToldPauseMin) return;
    told_ = now;
    heard_(moment);
  }

  const std::function<void(const HeardMoment&)>& heard_;
  std::chrono::steady_clock::time_point told_{};
  SoundAnalysis analysis_{kSoundRateHz};
  std::array<float, SoundAnalysis::kHopSamples> hop_{};
  std::size_t filled_ = 0;
};

}  // namespace

SoundListening::SoundListening(Options options)
    : options_(std::move(options)),
      attempts_({.thread = "sound",
                 .about = "sound",
                 .consequence = "everything that follows the sound rests",
                 .events = options_.events},
                [this](const Attempts::Task& task) { return carry_out(task); }) {}

Result<void> SoundListening::carry_out(const Attempts::Task& task) {
  const auto listened = [&]() -> Result<void> {
    const auto stream = open(task);
    SUBMIX_TRY(stream);
    return follow(**stream, task);
  }();
  options_.heard({});
  return listened;
}

Result<std::unique_ptr<SoundStream>> SoundListening::open(const Attempts::Task& task) const {
  const auto slot = show::slot_of_sound(task.target);
  if (!slot) return open_sound(task.target, task.stop);
  return make_clip_stream(std::string(*slot), options_.clips, options_.events);
}

Result<void> SoundListening::follow(SoundStream& stream, const Attempts::Task& task) {
  const SteadyClock clock;
  Hops hops(options_.heard);
  std::optional<std::string> told;
  auto came = clock.now();
  while (!task.stop.stop_requested()) {
    const auto samples = stream.next();
    SUBMIX_TRY(samples);
    const auto now = clock.now();
    if (samples->empty()) {
      if (now > came + kSoundPatience)
        return fail("the sound input gives nothing for {} s", kSoundPatience.count());
      if (now > came + kSoundHeld) options_.heard({});
      continue;
    }
    came = now;
    if (auto trouble = stream.trouble(); trouble != told) {
      attempts_.tell_working(task, "the sound is heard again", trouble);
      told = std::move(trouble);
    }
    hops.add(*samples, now - stream.delay());
  }
  return {};
}

}  // namespace submix::io
