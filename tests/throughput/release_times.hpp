// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/ledger.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::throughput {

/// When measured frames of the first stream were released, by the receiving machine's monotonic clock.
///
/// Shape    Every `apart`th frame from `first` on, so that there are kTimesMax at most; 0: never.
struct ReleaseTimes {
  static constexpr std::size_t kTimesMax = 4096;

  std::uint64_t first = 0;
  std::uint64_t apart = 1;
  std::vector<std::int64_t> at_ns;
};

/// Empty where nothing was measured.
[[nodiscard]] ReleaseTimes read_releases(const Ledger& receiver);

/// From each frame's offer, by the sender's ledger and clock, to its release, in milliseconds.
/// `clock_offset`: the receiver's clock less the sender's. Frames that the sender does not know are left out.
[[nodiscard]] std::vector<double> latencies_ms(const Ledger& sender, const ReleaseTimes& releases,
                                               std::chrono::nanoseconds clock_offset);

}  // namespace submix::throughput
