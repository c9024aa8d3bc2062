// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

namespace submix::throughput {

/// Resources used so far by this process and the machine. Subtract two readings.
struct Usage {
  std::chrono::nanoseconds at{0};            ///< CLOCK_MONOTONIC
  std::chrono::nanoseconds cpu{0};           ///< of the process, user and kernel, all threads
  std::chrono::nanoseconds machine_busy{0};  ///< of all cores, interrupts included
  std::uint64_t page_faults = 0;             ///< of the process, minor and major
  std::uint64_t allocations = 0;             ///< of the process, calls of operator new

  friend bool operator==(const Usage&, const Usage&) = default;
};

/// The kernel charges interrupt work to the interrupted thread. The work of TCP there may be on the
/// other side's account, or on no account. machine_busy contains all of it.
///
/// Cost     Some microseconds; allocates nothing.
[[nodiscard]] Usage usage_now();

[[nodiscard]] Usage operator-(const Usage& later, const Usage& earlier);

/// Nanoseconds of CLOCK_MONOTONIC, the same in all processes of a machine.
[[nodiscard]] std::int64_t monotonic_ns();

}  // namespace submix::throughput
