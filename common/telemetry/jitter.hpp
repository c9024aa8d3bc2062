// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace submix::telemetry {

/// The index of the bucket for a delay of `late`. An early frame belongs to the first bucket.
[[nodiscard]] inline std::size_t jitter_bucket(std::chrono::nanoseconds late) {
  const auto found = std::lower_bound(kJitterBuckets.begin(), kJitterBuckets.end(), late);
  return static_cast<std::size_t>(found - kJitterBuckets.begin());
}

/// Counts how late frames passed their deadlines, since the beginning.
///
/// Shape    One count for each of kJitterBuckets, and one for longer delays.
/// Threads  add(): one writer. reading(): any thread, at any time.
/// Cost     add(): a few relaxed atomics, no wait.
class Jitter {
 public:
  // Relaxed throughout: each count is independent.
  void add(std::chrono::nanoseconds late) {
    frames_[jitter_bucket(late)].fetch_add(1, std::memory_order_relaxed);
    if (late.count() > max_.load(std::memory_order_relaxed))
      max_.store(late.count(), std::memory_order_relaxed);
  }

  [[nodiscard]] JitterReading reading() const {
    JitterReading reading;
    std::transform(frames_.begin(), frames_.end(), reading.frames.begin(),
                   [](const auto& frames) { return frames.load(std::memory_order_relaxed); });
    reading.max = std::chrono::nanoseconds(max_.load(std::memory_order_relaxed));
    return reading;
  }

 private:
  std::array<std::atomic<std::uint64_t>, kJitterBuckets.size() + 1> frames_{};
  std::atomic<std::int64_t> max_ = 0;
};

[[nodiscard]] inline std::uint64_t frame_count(const JitterReading& reading) {
  return std::accumulate(reading.frames.begin(), reading.frames.end(), std::uint64_t{0});
}

/// A delay that at least `share` (0 to 1) of the frames did not exceed: the end of a bucket, or the
/// greatest delay of all if that is less. 0 without frames.
[[nodiscard]] inline std::chrono::nanoseconds jitter_within(const JitterReading& reading,
                                                            double share) {
  const auto wanted = share * static_cast<double>(frame_count(reading));
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kJitterBuckets.size(); ++i) {
    sum += reading.frames[i];
    if (static_cast<double>(sum) >= wanted)
      return std::min<std::chrono::nanoseconds>(kJitterBuckets[i], reading.max);
  }
  return reading.max;
}

}  // namespace submix::telemetry
