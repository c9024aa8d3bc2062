// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::telemetry {

/// The latest durations of one kind, for their median and extremes: delays of frames, or the time
/// that a plugin computed on each.
///
/// Shape    Keeps the last kKept durations, so a spike stays visible for some seconds.
/// Threads  Synchronized.
/// Cost     add(): two relaxed atomics, no wait. reading(): selects in a copy on the stack.
class Latencies {
 public:
  static constexpr std::size_t kKept = 512;

  // Relaxed throughout: each duration is independent. A reader may see the old or the new value of
  // a duration that is just being replaced.
  void add(std::chrono::nanoseconds latency) {
    const auto place = count_.fetch_add(1, std::memory_order_relaxed) % kKept;
    kept_[place].store(latency.count(), std::memory_order_relaxed);
  }

  [[nodiscard]] LatencyReading reading() const {
    std::array<std::int64_t, kKept> times{};
    const auto size = std::min<std::uint64_t>(count_.load(std::memory_order_relaxed), kKept);
    if (size == 0) return {};
    std::transform(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(size), times.begin(),
                   [](const auto& kept) { return kept.load(std::memory_order_relaxed); });
    const auto end = times.begin() + static_cast<std::ptrdiff_t>(size);
    const auto p99 = times.begin() + static_cast<std::ptrdiff_t>((size - 1) * 99 / 100);
    const auto p50 = times.begin() + static_cast<std::ptrdiff_t>((size - 1) / 2);
    std::nth_element(times.begin(), p99, end);
    const auto max = *std::max_element(p99, end);
    std::nth_element(times.begin(), p50, std::next(p99));
    return {std::chrono::nanoseconds(*p50), std::chrono::nanoseconds(*p99),
            std::chrono::nanoseconds(max)};
  }

 private:
  std::array<std::atomic<std::int64_t>, kKept> kept_{};
  std::atomic<std::uint64_t> count_ = 0;  // durations so far, kept or not
};

}  // namespace submix::telemetry
