// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/mutex.hpp"
#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>

namespace submix::cluster {

/// The cluster's clock, the NATS server's, as seen from this machine. It is the time of the show.
///
/// Shape    The difference between the server's clock and the local monotonic clock, by the reading
///          with the shortest round trip of the last few. The error is at most half of that round
///          trip. A reading that contradicts the earlier ones, as after a change of the server,
///          replaces them.
/// Threads  Synchronized. measure() blocks as Cluster::read_clock() does.
class ClusterClock {
 public:
  static constexpr std::size_t kReadings = 8;

  /// Takes one reading, or several if there is none yet.
  [[nodiscard]] Result<void> measure(Cluster& cluster, const Clock& clock) SUBMIX_EXCLUDES(mutex_);
  void observe(const ClockReading& reading) SUBMIX_EXCLUDES(mutex_);

  /// The cluster's clock minus the local clock. Empty before the first reading.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> offset() const SUBMIX_EXCLUDES(mutex_);
  /// The cluster's time at a local time, since 1970. Empty before the first reading.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> time_at(LocalTime local) const
      SUBMIX_EXCLUDES(mutex_);

 private:
  struct Difference {
    std::chrono::nanoseconds offset;
    std::chrono::nanoseconds round_trip;
  };

  mutable Mutex mutex_;
  std::deque<Difference> differences_ SUBMIX_GUARDED_BY(mutex_);
  std::optional<std::chrono::nanoseconds> offset_ SUBMIX_GUARDED_BY(mutex_);
};

}  // namespace submix::cluster
