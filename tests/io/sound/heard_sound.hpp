// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "node/io/sound/sound_listening.hpp"

#include <algorithm>

namespace submix::testing {

/// Keeps what was heard. Synchronized.
class HeardSound {
 public:
  void hear(const io::HeardMoment& moment) {
    const MutexLock lock(mutex_);
    const auto& sound = moment.sound;
    last_ = sound;
    end_ = moment.end;
    loudest_.bass = std::max(loudest_.bass, sound.bass);
    loudest_.onset = std::max(loudest_.onset, sound.onset);
    ++calls_;
  }
  void forget() {
    const MutexLock lock(mutex_);
    last_ = {};
    loudest_ = {};
    calls_ = 0;
  }
  [[nodiscard]] bool is_kick() const {
    const MutexLock lock(mutex_);
    return loudest_.bass > 0.5 && loudest_.onset == 1.0;
  }
  /// When the sound heard so far ended.
  [[nodiscard]] LocalTime end() const {
    const MutexLock lock(mutex_);
    return end_;
  }
  [[nodiscard]] bool is_silent() const {
    const MutexLock lock(mutex_);
    return calls_ > 0 && last_ == show::Sound{};
  }

 private:
  mutable Mutex mutex_;
  show::Sound last_ SUBMIX_GUARDED_BY(mutex_);
  show::Sound loudest_ SUBMIX_GUARDED_BY(mutex_);
  LocalTime end_ SUBMIX_GUARDED_BY(mutex_);
  int calls_ SUBMIX_GUARDED_BY(mutex_) = 0;
};

}  // namespace submix::testing
