// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/system/machine_watch.hpp"

#include <pthread.h>
#include <sched.h>

#include <cstddef>

namespace submix::testing {
namespace {

constexpr int kPriority = 40;  // above a show's threads, below the kernel's interrupt threads
constexpr std::chrono::milliseconds kSleep{1};

// Either may be refused; the thread then counts what it can.
void stay_ahead_on(std::size_t core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  static_cast<void>(::pthread_setaffinity_np(::pthread_self(), sizeof(cores), &cores));
  const ::sched_param priority{.sched_priority = kPriority};
  static_cast<void>(::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &priority));
}

}  // namespace

MachineWatch::MachineWatch() {
  const auto cores = std::thread::hardware_concurrency();
  for (std::size_t core = 0; core < cores; ++core) {
    threads_.emplace_back([this, core](const std::stop_token& stop) {
      stay_ahead_on(core);
      while (!stop.stop_requested()) {
        const auto began = std::chrono::steady_clock::now();
        std::this_thread::sleep_for(kSleep);
        if (std::chrono::steady_clock::now() - began >= kSleep + kStall)
          stalls_.fetch_add(1, std::memory_order_relaxed);
      }
    });
  }
}

}  // namespace submix::testing
