// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace submix::telemetry {

/// The latest delays of a kind, for their median and extremes.
///
/// Shape    The last kKept of them; older ones are forgotten, so a spike is seen for some seconds.
/// Threads  Compatible.
/// Cost     add(): O(1), no allocation. reading(): sorts a copy on the stack.
class Latencies {
 public:
  static constexpr std::size_t kKept = 512;

  void add(std::chrono::nanoseconds latency) { kept_[count_++ % kKept] = latency; }

  [[nodiscard]] LatencyReading reading() const {
    auto sorted = kept_;
    const auto size = std::min(count_, kKept);
    if (size == 0) return {};
    std::sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(size));
    return {sorted[(size - 1) / 2], sorted[(size - 1) * 99 / 100], sorted[size - 1]};
  }

 private:
  std::array<std::chrono::nanoseconds, kKept> kept_{};
  std::size_t count_ = 0;  // counts on for ever
};

}  // namespace submix::telemetry
