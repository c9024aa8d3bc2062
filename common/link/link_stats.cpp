// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/link_stats.hpp"

#include "common/base/host_port.hpp"
#include "common/link/timing.hpp"

#include <algorithm>
#include <cmath>

namespace submix::link {
namespace {

constexpr std::chrono::seconds kRateTime(1);

// Three samples of a RateMeter. A single sample may come from a burst, or from a receiver that got
// no CPU time. A link with little work takes several seconds to gather three.
constexpr double kFullSecondsMin = 0.01;

// The plan tries a link that seems slow again within two seconds.
constexpr std::chrono::seconds kLimitKept(5);

constexpr double kMoreThanItsLimit = 1.25;  // the limit has risen
constexpr double kMostOfItsLimit = 0.6;     // the plan gives the link what it can carry
constexpr double kMuchSlower = 0.5;
constexpr double kKeptOfFormer = 0.5;

bool is_same_host(std::string_view a, std::string_view b) {
  return without_port(a) == without_port(b);
}

}  // namespace

void LinkStats::GreatestRate::follow(LocalTime now, std::uint64_t bytes_now) {
  if (!has_begun) {
    *this = {.since = now, .bytes_then = bytes_now, .bytes_per_second = 0, .has_begun = true};
    return;
  }
  if (now - since < kRateTime) return;
  const double seconds = std::chrono::duration<double>(now - since).count();
  const double rate = static_cast<double>(bytes_now - std::min(bytes_now, bytes_then)) / seconds;
  bytes_per_second = std::max(bytes_per_second, static_cast<std::uint64_t>(rate));
  since = now;
  bytes_then = bytes_now;
}

void LinkStats::LimitRate::follow(LocalTime now, const Totals& totals) {
  if (!has_begun_) {
    begin_sample(now, totals);
    has_begun_ = true;
  } else if (now - since_ < kRateTime) {
    return;
  } else {
    judge(now, totals);
  }
  since_ = now;
  bytes_then_ = totals.bytes;
}

void LinkStats::LimitRate::judge(LocalTime now, const Totals& totals) {
  const double full_seconds = static_cast<double>(totals.full_ns - sampled_.full_ns) * 1e-9;
  if (full_seconds >= kFullSecondsMin) {
    add_sample(static_cast<double>(totals.full_bytes - sampled_.full_bytes), full_seconds);
    begin_sample(now, totals);
  }
  const double rate = static_cast<double>(totals.bytes - bytes_then_) /
                      std::chrono::duration<double>(now - since_).count();
  const auto limit = static_cast<double>(bytes_per_second_);
  const bool is_refuted = limit > 0 && rate > kMoreThanItsLimit * limit;
  if (!is_refuted && now - sample_began_ < kLimitKept) return;
  begin_sample(now, totals);
  const bool is_confirmed = !is_refuted && rate > kMostOfItsLimit * limit;
  if (is_confirmed) return;
  full_bytes_ = full_seconds_ = 0;
  bytes_per_second_ = 0;
}

void LinkStats::LimitRate::begin_sample(LocalTime now, const Totals& totals) {
  sample_began_ = now;
  sampled_ = totals;
}

// A sample covers a few milliseconds and may come from a burst, so several samples count together.
// A link that has become much slower is seen at once.
void LinkStats::LimitRate::add_sample(double carried, double seconds) {
  const bool is_much_slower =
      carried / seconds < kMuchSlower * static_cast<double>(bytes_per_second_);
  const double kept = is_much_slower ? 0 : kKeptOfFormer;
  full_bytes_ = full_bytes_ * kept + carried;
  full_seconds_ = full_seconds_ * kept + seconds;
  bytes_per_second_ = static_cast<std::uint64_t>(std::llround(full_bytes_ / full_seconds_));
}

void LinkStats::set_ends(std::string local, std::string remote) {
  MutexLock lock(mutex_);
  if (!is_same_host(local, local_) || !is_same_host(remote, remote_)) {
    greatest_ = {};
    limit_ = {};
  }
  local_ = std::move(local);
  remote_ = std::move(remote);
}

telemetry::LinkReading LinkStats::reading(LocalTime now) const {
  const auto times = shares.totals(now);
  telemetry::LinkReading reading;
  reading.index = index;
  reading.bytes = bytes.load(std::memory_order_relaxed);
  reading.stripes = stripes.load(std::memory_order_relaxed);
  reading.stripes_damaged = stripes_damaged.load(std::memory_order_relaxed);
  reading.protection = protection.load(std::memory_order_relaxed);
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
  greatest_.follow(now, reading.bytes);
  reading.greatest_bytes_per_second = greatest_.bytes_per_second;
  limit_.follow(now, {reading.bytes, full_bytes.load(std::memory_order_relaxed),
                      full_ns.load(std::memory_order_relaxed)});
  reading.limit_bytes_per_second = limit_.bytes_per_second();
  reading.state = state_;
  reading.local = local_;
  reading.remote = remote_;
  reading.error = error_;
  reading.warning = warning_;
  return reading;
}

}  // namespace submix::link
