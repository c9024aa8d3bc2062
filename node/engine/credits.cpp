// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/credits.hpp"

#include "common/base/assert.hpp"

#include <algorithm>

namespace submix::engine {

Credits::Credits(std::size_t terminals, std::uint64_t frames_in_flight_max)
    : frames_in_flight_max_(frames_in_flight_max), passed_(terminals) {
  SUBMIX_ASSERT(terminals > 0 && frames_in_flight_max > 0);
}

bool Credits::try_start(std::uint64_t position) const {
  const MutexLock lock(mutex_);
  return position < completed_ + frames_in_flight_max_;
}

bool Credits::wait_to_start(std::uint64_t position, const std::stop_token& stop) const {
  const MutexLock lock(mutex_);
  return freed_.wait(mutex_, stop,
                     [&]() SUBMIX_REQUIRES(mutex_) { return position < completed_ + frames_in_flight_max_; });
}

void Credits::complete(std::size_t terminal) {
  const MutexLock lock(mutex_);
  ++passed_[terminal];
  const auto least = *std::min_element(passed_.begin(), passed_.end());
  if (least == completed_) return;
  completed_ = least;
  freed_.notify_all();
}

std::uint64_t Credits::completed() const {
  const MutexLock lock(mutex_);
  return completed_;
}

}  // namespace submix::engine
