// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/base/stoppable_sleep.hpp"
#include "common/base/thread.hpp"
#include "node/plugin/trouble.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace submix::io {

/// Works for one target at a time, such as an address or a device, on a thread of its own. Failed
/// work is tried again every two seconds. The first failure and the recovery are reported.
///
/// Threads  Synchronized.
/// Cost     The destructor waits for the end of the work.
template <typename Target>
class Retrying {
 public:
  /// The work for a target, until another target replaces it.
  struct Task {
    Target target;
    std::stop_token stop;
  };
  /// Returns when it fails, with an error, or when the task's stop is requested. Called on the own
  /// thread. Calls tell_working() once it works.
  using Work = std::function<Result<void>(const Task&)>;

  struct Options {
    std::string thread;           ///< its name
    std::string about;            ///< in events
    std::string consequence;      ///< of a failure, for people: "nothing is sent"
    EventSink* events = nullptr;  ///< outlives this; null: nobody listens
  };

  Retrying(Options options, Work work) : options_(std::move(options)), work_(std::move(work)) {
    thread_ = start_thread(options_.thread, [this](const std::stop_token& stop) { run(stop); });
  }
  ~Retrying() { work_for(std::nullopt); }
  Retrying(const Retrying&) = delete;
  Retrying& operator=(const Retrying&) = delete;

  /// Works for `target` from now on. Empty: works for none.
  void work_for(std::optional<Target> target) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (target == target_) return;
    target_stop_.request_stop();
    target_stop_ = std::stop_source();
    target_ = std::move(target);
    trouble_.set({});
    changed_.notify_all();
  }

  /// Reports `recovery` if the work had failed before. `lack`: what is missing though the work goes
  /// on; it is reported and becomes the trouble.
  void tell_working(const Task& task, const std::string& recovery, const std::string& lack = {})
      SUBMIX_EXCLUDES(mutex_) {
    const auto former = change_trouble(task, lack);
    if (!former || *former == lack) return;
    if (lack.empty()) {
      report(Severity::note, recovery);
    } else {
      report(Severity::warning, lack);
    }
  }

  /// Why the work fails. Empty while it succeeds, and during the first attempt.
  [[nodiscard]] std::string trouble() const { return trouble_.text(); }

 private:
  static constexpr std::chrono::seconds kPause{2};

  void run(const std::stop_token& stop) {
    while (const auto task = next_task(stop)) {
      const auto worked = work_(*task);
      if (task->stop.stop_requested()) continue;
      if (!worked) tell_failed(*task, worked.error().message);
      sleep_until(std::chrono::steady_clock::now() + kPause, task->stop);
    }
  }

  /// Waits for a target. Empty: asked to stop.
  std::optional<Task> next_task(const std::stop_token& stop) SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    static_cast<void>(changed_.wait(
        mutex_, stop, [this]() SUBMIX_NO_THREAD_SAFETY_ANALYSIS { return target_.has_value(); }));
    if (!target_ || stop.stop_requested()) return std::nullopt;
    return Task{*target_, target_stop_.get_token()};
  }

  void tell_failed(const Task& task, const std::string& why) {
    const auto trouble =
        fmt::format("{}; {}; tried again every {} s", why, options_.consequence, kPause.count());
    const auto former = change_trouble(task, trouble);
    if (former && former->empty()) report(Severity::warning, trouble);
  }

  /// Returns the former trouble. Empty: the task's target was replaced, so its trouble no longer
  /// counts.
  std::optional<std::string> change_trouble(const Task& task, const std::string& trouble)
      SUBMIX_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (task.stop.stop_requested()) return std::nullopt;
    auto former = trouble_.text();
    trouble_.set(trouble);
    return former;
  }

  void report(Severity severity, const std::string& text) const {
    if (options_.events != nullptr) options_.events->report(severity, options_.about, text);
  }

  const Options options_;
  const Work work_;
  plugin::Trouble trouble_;
  Mutex mutex_;
  Condition changed_;
  std::optional<Target> target_ SUBMIX_GUARDED_BY(mutex_);
  std::stop_source target_stop_ SUBMIX_GUARDED_BY(mutex_);  // ends the work for target_
  std::jthread thread_;                                     // the last: it uses all others
};

}  // namespace submix::io
