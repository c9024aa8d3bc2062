// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

namespace submix {

/// What somebody who raises threads of other processes asks of those.
struct RealtimeTerms {
  std::chrono::microseconds run_max{0};  ///< RLIMIT_RTTIME may be no more
  int priority_max = 0;
  /// After this time what was refused is asked for again: it may have been too many threads at once.
  std::chrono::milliseconds pause{10'000};
};

/// Asks somebody with the right to it to run a thread of this process by SCHED_RR; may wait for the answer.
using RealtimeRequest = std::function<Result<void>(pid_t thread, int priority)>;

/// Real-time scheduling where this process has no right of its own (see realtime.hpp): from start() on,
/// start_thread() has threads raised by asking for each. Only a thread of this object waits for answers.
///
/// Owner    Outlives all threads that it raises.
/// Threads  Synchronized. The request: one call at a time, on the thread of start() first, then on its own.
/// Errors   start(): the thread that calls it is refused. Whoever is refused later stays an ordinary thread,
///          and is asked for again; the first refusal is logged.
class RealtimeBroker {
 public:
  [[nodiscard]] static Result<std::unique_ptr<RealtimeBroker>> start(const RealtimeTerms& terms,
                                                                     RealtimeRequest request);
  ~RealtimeBroker();
  RealtimeBroker(const RealtimeBroker&) = delete;
  RealtimeBroker& operator=(const RealtimeBroker&) = delete;

  /// Returns at once.
  void raise(pid_t thread, int priority) SUBMIX_EXCLUDES(mutex_);
  /// The thread is about to end: it is not asked for any more. Waits while it just is.
  void forget(pid_t thread) SUBMIX_EXCLUDES(mutex_);

 private:
  struct Order {
    pid_t thread = 0;
    int priority = 0;
  };

  RealtimeBroker(const RealtimeTerms& terms, RealtimeRequest request);
  void work(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// Waits for one; empty: it is time to stop.
  [[nodiscard]] std::optional<Order> next(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// False: refused.
  [[nodiscard]] bool ask_for(const Order& order) SUBMIX_EXCLUDES(mutex_);

  const RealtimeTerms terms_;
  const RealtimeRequest request_;
  bool has_complained_ = false;  // the own thread's

  Mutex mutex_;
  Condition changed_;
  std::deque<Order> waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Order> refused_ SUBMIX_GUARDED_BY(mutex_);
  pid_t asking_for_ SUBMIX_GUARDED_BY(mutex_) = 0;  // 0: nobody
  std::jthread thread_;                             // ends before the rest
};

}  // namespace submix
