// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/link_stats.hpp"

#include "common/link/timing.hpp"

#include <algorithm>
#include <cmath>

namespace submix::link {
namespace {

constexpr std::chrono::seconds kRateTime(1);

// Three samples of a RateMeter. A single sample may come from a burst, or from a receiver without
// time.
constexpr double kFullSecondsMin = 0.01;

// The plan tries a link that seems slow again within two seconds.
constexpr std::chrono::seconds kLimitKept(5);

constexpr double kMoreThanItsLimit = 1.25;  // the limit has risen
constexpr double kMuchSlower = 0.5;
constexpr double kKeptOfFormer = 0.5;

/// "198.18.0.1" of "198.18.0.1:40000", "[fd00::1]" of "[fd00::1]:40000".
std::string_view without_port(std::string_view end) {
  const auto colon = end.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (end.starts_with('[') || end.find(':') == colon);
  return has_port ? end.substr(0, colon) : end;
}

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
  if (has_begun_ && now - since_ < kRateTime) return;
  if (has_begun_) judge(now, totals);
  since_ = now;
  then_ = totals;
  has_begun_ = true;
}

void LinkStats::LimitRate::judge(LocalTime now, const Totals& totals) {
  const double rate = static_cast<double>(totals.bytes - then_.bytes) /
                      std::chrono::duration<double>(now - since_).count();
  const double full_seconds = static_cast<double>(totals.full_ns - then_.full_ns) * 1e-9;
  if (full_seconds >= kFullSecondsMin) {
    add_sample(static_cast<double>(totals.full_bytes - then_.full_bytes), full_seconds);
    measured_ = now;
  }
  const bool is_refuted = rate > kMoreThanItsLimit * static_cast<double>(bytes_per_second_);
  if (!is_refuted && now - measured_ < kLimitKept) return;
  full_bytes_ = full_seconds_ = 0;
  bytes_per_second_ = 0;
}

// A sample covers a few milliseconds and may come from a burst, so several seconds count together.
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
