// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/link_stats.hpp"

#include "common/link/timing.hpp"

#include <algorithm>

namespace submix::link {

telemetry::LinkReading LinkStats::reading(LocalTime now) const {
  const auto times = shares.totals(now);
  telemetry::LinkReading reading;
  reading.index = index;
  reading.bytes = bytes.load(std::memory_order_relaxed);
  reading.stripes = stripes.load(std::memory_order_relaxed);
  reading.stripes_damaged = stripes_damaged.load(std::memory_order_relaxed);
  reading.queue_bytes = queue_bytes.load(std::memory_order_relaxed);
  reading.queue_limit_bytes = queue_limit_bytes.load(std::memory_order_relaxed);
  reading.round_trip = std::chrono::microseconds(round_trip_us.load(std::memory_order_relaxed));
  reading.segments_retransmitted = segments_retransmitted.load(std::memory_order_relaxed);
  reading.bytes_retransmitted = bytes_retransmitted.load(std::memory_order_relaxed);
  reading.capacity_bytes_per_second = bytes_per_second.load(std::memory_order_relaxed);
  reading.idle = times[static_cast<std::size_t>(LinkActivity::idle)];
  reading.sending = times[static_cast<std::size_t>(LinkActivity::sending)];
  reading.blocked = times[static_cast<std::size_t>(LinkActivity::blocked)];
  reading.reconnects = std::max<std::uint64_t>(connections.load(std::memory_order_relaxed), 1) - 1;
  MutexLock lock(mutex_);
  reading.state = state_;
  reading.local = local_;
  reading.remote = remote_;
  reading.error = error_;
  reading.warning = warning_;
  return reading;
}

}  // namespace submix::link
