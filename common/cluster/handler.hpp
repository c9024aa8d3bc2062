// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Internal to the bus.

#include "common/base/mutex.hpp"

#include <functional>
#include <string_view>

namespace submix::cluster {

/// A callback that can be ended. After end() the callback does not run, and no call is under way.
/// The handler is shared with libnats, which may call after the subscription is gone.
///
/// Threads  Synchronized. Do not call end() from within the callback.
class Handler {
 public:
  /// `reply_to` is empty for a message without an answer.
  using Function = std::function<void(std::string_view reply_to, std::string_view bytes)>;

  explicit Handler(Function function) : function_(std::move(function)) {}

  void call(std::string_view reply_to, std::string_view bytes) SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (function_) function_(reply_to, bytes);
  }
  void end() SUBMIX_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    function_ = nullptr;
  }

 private:
  Mutex mutex_;
  Function function_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::cluster
