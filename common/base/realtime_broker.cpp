// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/realtime_broker.hpp"

#include "common/base/log.hpp"
#include "common/base/realtime.hpp"
#include "common/base/thread.hpp"

#include <unistd.h>

#include <algorithm>
#include <utility>

namespace submix {

// The run limit is set first: the service checks the limit before it raises a thread.
Result<std::unique_ptr<RealtimeBroker>> RealtimeBroker::start(const RealtimeTerms& terms,
                                                              RealtimeRequest request) {
  detail::limit_realtime_run(terms.run_max);
  const auto thread = ::gettid();
  SUBMIX_TRY(request(thread, std::min(kRealtimeNetPriority, terms.priority_max)));
  detail::lower_thread(thread);  // undoes the trial: the calling thread stays ordinary
  auto broker = std::unique_ptr<RealtimeBroker>(new RealtimeBroker(terms, std::move(request)));
  detail::allow_realtime_threads_by(broker.get());
  return broker;
}

RealtimeBroker::RealtimeBroker(const RealtimeTerms& terms, RealtimeRequest request)
    : terms_(terms), request_(std::move(request)) {
  thread_ = start_thread("realtime", [this](const std::stop_token& stop) { work(stop); });
}

RealtimeBroker::~RealtimeBroker() {
  detail::allow_realtime_threads_by(nullptr);
}

void RealtimeBroker::raise(pid_t thread, int priority) {
  MutexLock lock(mutex_);
  waiting_.push_back({thread, std::min(priority, terms_.priority_max)});
  changed_.notify_all();
}

void RealtimeBroker::forget(pid_t thread) {
  MutexLock lock(mutex_);
  const auto is_of_it = [&](const Order& order) { return order.thread == thread; };
  std::erase_if(waiting_, is_of_it);
  while (asking_for_ == thread)
    changed_.wait(mutex_);
  std::erase_if(refused_, is_of_it);
}

void RealtimeBroker::work(const std::stop_token& stop) {
  const std::stop_callback wake(stop, [this] {
    MutexLock lock(mutex_);
    changed_.notify_all();
  });
  while (const auto order = next(stop)) {
    const bool is_refused = !ask_for(*order);
    MutexLock lock(mutex_);
    if (is_refused) refused_.push_back(*order);
    asking_for_ = 0;
    changed_.notify_all();
  }
}

std::optional<RealtimeBroker::Order> RealtimeBroker::next(const std::stop_token& stop) {
  MutexLock lock(mutex_);
  const auto retry = std::chrono::steady_clock::now() + terms_.pause;
  while (waiting_.empty() && !stop.stop_requested()) {
    if (refused_.empty()) {
      changed_.wait(mutex_);
    } else if (changed_.wait_until(mutex_, retry) == std::cv_status::timeout) {
      waiting_.assign(refused_.begin(), refused_.end());
      refused_.clear();
    }
  }
  if (stop.stop_requested()) return std::nullopt;
  const auto order = waiting_.front();
  waiting_.pop_front();
  asking_for_ = order.thread;
  return order;
}

bool RealtimeBroker::ask_for(const Order& order) {
  // The thread ran for too long and stays ordinary for now.
  if (detail::is_to_be_ordinary(order.thread)) return true;
  const auto raised = request_(order.thread, order.priority);
  // The signal handler may have lowered the thread in between.
  if (detail::is_to_be_ordinary(order.thread)) detail::lower_thread(order.thread);
  if (raised) return true;
  if (!std::exchange(has_complained_, true)) {
    log::warning(
        "a thread that computes or carries frames stays behind other programs, and is asked for "
        "again: {}",
        raised.error().message);
  }
  return false;
}

}  // namespace submix
