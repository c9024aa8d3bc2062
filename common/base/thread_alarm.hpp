// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <ctime>

namespace submix {

/// A limit for a library's call that waits without one. From `patience` on, the calling thread's
/// system calls end by EINTR, again and again, until this object is gone.
///
/// Errors   Without a timer of the system there is no limit; the log tells.
/// Threads  Confined. Uses the signal SIGRTMIN + 4, which then does nothing else in this process.
class ThreadAlarm {
 public:
  explicit ThreadAlarm(std::chrono::milliseconds patience);
  ThreadAlarm(const ThreadAlarm&) = delete;
  ThreadAlarm& operator=(const ThreadAlarm&) = delete;
  ~ThreadAlarm();

  [[nodiscard]] bool is_over() const { return std::chrono::steady_clock::now() >= deadline_; }

 private:
  const std::chrono::steady_clock::time_point deadline_;
  ::timer_t timer_{};
  bool is_set_ = false;
};

}  // namespace submix
