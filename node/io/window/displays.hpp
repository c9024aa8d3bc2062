// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/display.hpp"
#include "common/base/mutex.hpp"

#include <functional>
#include <utility>
#include <vector>

namespace submix::io {

/// The displays of this machine, as the node knows them. Empty: none, or none known yet.
///
/// Threads  Synchronized.
class Displays {
 public:
  /// `changed` is called after each change, on the thread of set(). It must not call this object.
  explicit Displays(std::function<void()> changed = {}) : changed_(std::move(changed)) {}

  void set(std::vector<Display> displays) SUBMIX_EXCLUDES(mutex_) {
    {
      MutexLock lock(mutex_);
      if (displays == displays_) return;
      displays_ = std::move(displays);
    }
    if (changed_) changed_();
  }
  [[nodiscard]] std::vector<Display> list() const SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    return displays_;
  }

 private:
  const std::function<void()> changed_;
  mutable Mutex mutex_;
  std::vector<Display> displays_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::io
