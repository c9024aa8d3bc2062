// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/media/frame.hpp"

#include <utility>

namespace submix::engine {

/// A stage's last frame, for snapshots and previews, also while paused. Lossy: what nobody took is gone.
///
/// Threads  Synchronized. The lock covers only the exchange of a reference; pictures are shrunk by readers.
class Tap {
 public:
  void publish(media::Frame frame) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    std::swap(frame_,
              frame);  // the old one dies after the lock: with its last reference its seat is returned
  }
  [[nodiscard]] media::Frame latest() const SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return frame_;
  }

 private:
  mutable Mutex mutex_;
  media::Frame frame_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::engine
