// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/epoch_clock.hpp"

#include "common/wire/epoch.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {
namespace {

// Two lives of a stream with the same epoch look like one life to the receiver, which would mix
// their frames. The step is at most 16 ms, so a clock that leads by one step does no harm.
constexpr std::uint64_t kStepMax = std::uint64_t{1} << 24;

std::chrono::nanoseconds time_of_day() {
  return std::chrono::system_clock::now().time_since_epoch();
}

}  // namespace

EpochClock::EpochClock(WallClock wall_clock)
    : wall_clock_(wall_clock ? std::move(wall_clock) : time_of_day),
      random_(std::random_device{}()) {}

std::uint64_t EpochClock::next() {
  const auto time = wall_clock_();
  const auto now = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
  MutexLock lock(mutex_);
  // Random_() has 64 bits; known_ is below half of the range.
  const auto above_all = known_ + 1 + random_() % kStepMax;
  const auto believed = std::min(std::max(now, above_all), wire::given_epoch_max(time));

  // At the limit, two lives of one stream still get different epochs.
  own_ = std::min(std::max(believed, own_ + 1), wire::kEpochMax);
  known_ = std::max(known_, own_);
  return own_;
}

bool EpochClock::is_believable(std::uint64_t epoch) const {
  return epoch <= wire::believed_epoch_max(wall_clock_());
}

void EpochClock::hear(std::uint64_t epoch) {
  if (!is_believable(epoch)) return;
  MutexLock lock(mutex_);
  known_ = std::max(known_, epoch);
}

void EpochClock::meet(std::uint64_t epoch) {
  if (!is_believable(epoch)) return;
  MutexLock lock(mutex_);
  own_ = std::max(own_, epoch);
  known_ = std::max(known_, own_);
}

std::uint64_t EpochClock::to_be_told() const {
  MutexLock lock(mutex_);
  return own_;
}

}  // namespace submix::agent
