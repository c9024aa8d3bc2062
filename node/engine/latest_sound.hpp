// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/sound.hpp"
#include "common/base/units.hpp"
#include "node/engine/sound_source.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace submix::engine {

/// The newest loudness of the show's sound that this node has received, for any frame.
///
/// Threads  Synchronized. at() takes no lock, for real-time threads: a writer fills one of two
///          places while readers use the other. A reader that was overtaken by a write reads again.
/// Cost     at(): some nanoseconds, no allocation.
class LatestSound final : public SoundSource {
 public:
  /// Older values count as silence: the PC that listens may be gone.
  static constexpr std::chrono::milliseconds kHeld{500};

  explicit LatestSound(const Clock& clock) : clock_(clock) {}

  void store(const Sound& sound) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto next = writes_.load(std::memory_order_relaxed) + 1;
    auto& place = places_[next % 2];
    place.numbers[0].store(sound.level);
    place.numbers[1].store(sound.bass);
    place.numbers[2].store(sound.mids);
    place.numbers[3].store(sound.highs);
    place.numbers[4].store(sound.onset);
    place.heard.store(clock_.now());
    writes_.store(next);
  }
  [[nodiscard]] Sound at(FrameIndex /*frame*/) const override {
    for (;;) {
      const auto write = writes_.load();
      const auto& place = places_[write % 2];
      const Sound sound{place.numbers[0].load(), place.numbers[1].load(), place.numbers[2].load(),
                        place.numbers[3].load(), place.numbers[4].load()};
      const auto heard = place.heard.load();
      if (writes_.load() != write) continue;
      return write > 0 && clock_.now() < heard + kHeld ? sound : Sound();
    }
  }

 private:
  struct Place {
    std::array<std::atomic<double>, 5> numbers{};  // in the order of Sound's members
    std::atomic<LocalTime> heard{};
  };

  const Clock& clock_;
  Mutex mutex_;  // of writers
  std::array<Place, 2> places_;
  std::atomic<std::uint64_t> writes_{0};
};

}  // namespace submix::engine
