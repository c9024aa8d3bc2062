// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"

#include <string>
#include <utility>

namespace submix::plugin {

/// The text behind Plugin::trouble(): why a plugin does not work. Synchronized.
class Trouble {
 public:
  void set(std::string text) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    text_ = std::move(text);
  }
  [[nodiscard]] std::string text() const SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return text_;
  }

 private:
  mutable Mutex mutex_;
  std::string text_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::plugin
