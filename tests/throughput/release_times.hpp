// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/ledger.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::throughput {

/// When measured frames of the first stream were released, by the receiving machine's monotonic
/// clock.
///
/// Shape    Every `apart`th frame from `first` on, at most kTimesMax. 0: never released.
struct ReleaseTimes {
  static constexpr std::size_t kTimesMax = 4096;

  std::uint64_t first = 0;
  std::uint64_t apart = 1;
  std::vector<std::int64_t> at_ns;
};

/// Empty if nothing was measured.
[[nodiscard]] ReleaseTimes read_releases(const Ledger& receiver);

/// Milliseconds from each frame's offer, by the sender's ledger and clock, to its release.
/// `clock_offset`: the receiver's clock minus the sender's. Frames unknown to the sender are left
/// out.
[[nodiscard]] std::vector<double> latencies_ms(const Ledger& sender, const ReleaseTimes& releases,
                                               std::chrono::nanoseconds clock_offset);

}  // namespace submix::throughput
