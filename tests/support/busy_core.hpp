// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pthread.h>
#include <sched.h>
#include <sys/types.h>

#include <cstddef>
#include <stop_token>
#include <thread>

namespace submix::testing {

inline cpu_set_t only(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  return cores;
}

/// A thread that computes on one core, without a pause, until this object ends.
class BusyCore {
 public:
  BusyCore()
      : thread_([core = core_](const std::stop_token& stop) {
          const auto cores = only(core);
          ::pthread_setaffinity_np(::pthread_self(), sizeof(cores), &cores);
          while (!stop.stop_requested()) {
          }
        }) {}

  /// Puts a thread of any process on this core, without real-time priority. False: not permitted.
  [[nodiscard]] bool admit(pid_t thread) const {
    const auto cores = only(core_);
    const sched_param ordinary{};
    return ::sched_setaffinity(thread, sizeof(cores), &cores) == 0 &&
           ::sched_setscheduler(thread, SCHED_BATCH, &ordinary) == 0;
  }

 private:
  int core_ = ::sched_getcpu();  // one that this process may use
  std::jthread thread_;
};

}  // namespace submix::testing
