// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <functional>
#include <utility>

namespace submix::io {

/// What all windows of a node show in place of their frames. Black has precedence, then the test
/// card.
struct OutputState {
  bool is_black = false;
  bool is_frozen = false;      ///< windows keep the picture that was shown when it began
  bool has_test_card = false;  ///< with the window's name and display

  friend bool operator==(const OutputState&, const OutputState&) = default;
};

/// Black-out, freeze and test cards, as people switch them. Windows follow at once, without a way
/// through patches, frames or streams. Frames continue: slots behind a window notice nothing.
///
/// Threads  Synchronized.
class OutputControl {
 public:
  void set(OutputState state) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (std::exchange(state_, state) != state && changed_) changed_();
  }
  [[nodiscard]] OutputState state() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return state_;
  }
  /// Calls `changed` after each change, on the thread of set(). Empty: nobody watches; the former
  /// watcher is not running any more when this returns. A watcher must not call this object.
  void watch(std::function<void()> changed) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    changed_ = std::move(changed);
  }

 private:
  mutable Mutex mutex_;
  OutputState state_ SUBMIX_GUARDED_BY(mutex_);
  std::function<void()> changed_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::io
