// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/latest_value.hpp"
#include "common/base/sound.hpp"

#include <chrono>

namespace submix::engine {

/// The show's sound, as this node last heard of it.
///
/// Threads  Synchronized. A frame that reads it waits for no writer's work.
class SoundEar {
 public:
  /// Silence follows if nothing more is heard of it: the PC that listens may be gone.
  static constexpr std::chrono::milliseconds kHeld{500};

  explicit SoundEar(const Clock& clock) : clock_(clock) {}

  void hear(const Sound& sound) { newest_.store({sound, clock_.now()}); }
  [[nodiscard]] Sound latest() const {
    const auto heard = newest_.load();
    return heard && clock_.now() < heard->time + kHeld ? heard->sound : Sound();
  }

 private:
  struct Heard {
    Sound sound;
    LocalTime time;
  };

  const Clock& clock_;
  LatestValue<Heard> newest_;
};

}  // namespace submix::engine
