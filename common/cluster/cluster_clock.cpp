// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/cluster_clock.hpp"

#include <algorithm>

namespace submix::cluster {
namespace {

using std::chrono::nanoseconds;

constexpr int kFirstReadings = 4;  // one of them is likely to be fast
// Clocks drift by less than this during the readings that are kept.
constexpr std::chrono::milliseconds kDrift{5};

}  // namespace

Result<void> ClusterClock::measure(Cluster& cluster, const Clock& clock) {
  for (int i = offset() ? 1 : kFirstReadings; i > 0; --i) {
    const auto reading = cluster.read_clock(clock);
    SUBMIX_TRY(reading);
    observe(*reading);
  }
  return {};
}

void ClusterClock::observe(const ClockReading& reading) {
  const auto round_trip = nanoseconds(reading.received - reading.sent);
  if (round_trip.count() < 0) return;
  const auto middle = nanoseconds(reading.sent.time_since_epoch()) + round_trip / 2;
  const Difference next{reading.time - middle, round_trip};

  const MutexLock lock(mutex_);
  std::erase_if(differences_, [&](const Difference& known) {
    const auto allowed = (known.round_trip + next.round_trip) / 2 + kDrift;
    return std::chrono::abs(known.offset - next.offset) > allowed;
  });
  differences_.push_back(next);
  if (differences_.size() > kReadings) differences_.pop_front();
  offset_ = std::ranges::min_element(differences_, {}, &Difference::round_trip)->offset;
}

std::optional<nanoseconds> ClusterClock::offset() const {
  const MutexLock lock(mutex_);
  return offset_;
}

std::optional<nanoseconds> ClusterClock::time_at(LocalTime local) const {
  const auto known = offset();
  if (!known) return std::nullopt;
  return nanoseconds(local.time_since_epoch()) + *known;
}

}  // namespace submix::cluster
