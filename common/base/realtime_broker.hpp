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

/// The terms of a service that raises threads of other processes.
struct RealtimeTerms {
  std::chrono::microseconds run_max{0};  ///< the largest RLIMIT_RTTIME allowed
  int priority_max = 0;
  /// Refused requests are repeated after this time: too many threads at once may have been the
  /// reason.
  std::chrono::milliseconds pause{10'000};
};

/// Asks a privileged service to run a thread of this process by SCHED_RR; may wait for the answer.
using RealtimeRequest = std::function<Result<void>(pid_t thread, int priority)>;

/// Real-time scheduling for a process without the right to it (see realtime.hpp). After start(),
/// start_thread() has threads raised by one request each. Only this object's thread waits for
/// answers.
///
/// Owner    Outlives all threads that it raises.
/// Threads  Synchronized. The request: one call at a time, first on the thread of start(), then on
///          this object's own thread.
/// Errors   start(): the calling thread is refused. A thread that is refused later stays ordinary,
///          and the request is repeated. The first refusal is logged.
class RealtimeBroker {
 public:
  [[nodiscard]] static Result<std::unique_ptr<RealtimeBroker>> start(const RealtimeTerms& terms,
                                                                     RealtimeRequest request);
  ~RealtimeBroker();
  RealtimeBroker(const RealtimeBroker&) = delete;
  RealtimeBroker& operator=(const RealtimeBroker&) = delete;

  /// Returns at once.
  void raise(pid_t thread, int priority) SUBMIX_EXCLUDES(mutex_);
  /// Cancels the requests for a thread that is about to end. Waits while a request for it is under
  /// way.
  void forget(pid_t thread) SUBMIX_EXCLUDES(mutex_);

 private:
  struct Order {
    pid_t thread = 0;
    int priority = 0;
  };

  RealtimeBroker(const RealtimeTerms& terms, RealtimeRequest request);
  void work(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// Waits for an order; empty: stop requested.
  [[nodiscard]] std::optional<Order> next(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_);
  /// Returns false if refused.
  [[nodiscard]] bool ask_for(const Order& order) SUBMIX_EXCLUDES(mutex_);

  const RealtimeTerms terms_;
  const RealtimeRequest request_;
  bool has_complained_ = false;  // used by this object's thread only

  Mutex mutex_;
  Condition changed_;
  std::deque<Order> waiting_ SUBMIX_GUARDED_BY(mutex_);
  std::vector<Order> refused_ SUBMIX_GUARDED_BY(mutex_);
  pid_t asking_for_ SUBMIX_GUARDED_BY(mutex_) = 0;  // 0: none
  std::jthread thread_;                             // last member: ends first
};

}  // namespace submix
