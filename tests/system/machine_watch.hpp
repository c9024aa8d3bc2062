// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace submix::testing {

/// Counts how often the machine itself stood still, as a virtual machine does when its host is
/// busy. One thread for each core sleeps for a millisecond again and again, ahead of all threads of
/// a show; a sleep that lasts kStall longer counts. So a node that holds its own frames up is not
/// excused.
///
/// Threads  stalls(): synchronized. Without the right to real-time scheduling, other programs' load
///          counts as well.
class MachineWatch {
 public:
  /// Half of the time by which a frame may be late at least (engine::miss_tolerance()).
  static constexpr std::chrono::milliseconds kStall{2};

  MachineWatch();

  [[nodiscard]] std::uint64_t stalls() const { return stalls_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> stalls_{0};
  std::vector<std::jthread> threads_;  // destroyed first, since they count
};

}  // namespace submix::testing
