// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/stream_clock.hpp"

#include <algorithm>

namespace submix::io {

StreamClock::Time StreamClock::moment(Span stamp, Time arrival) {
  const auto came = std::chrono::duration_cast<Span>(arrival.time_since_epoch());
  const Span transit = came - stamp;
  const bool is_late = base_ && transit - *base_ > kJump;
  const bool is_early = base_ && pace_ == Pace::reader && *base_ - transit > kJump;
  if (!base_ || is_late || is_early) {
    seconds_ = {};
    base_ = transit;
  }
  if (pace_ == Pace::far_end) base_ = std::min(least_transit(transit, arrival), *base_ + kStep);
  return Time(stamp + *base_);
}

StreamClock::Span StreamClock::least_transit(Span transit, Time arrival) {
  const auto number = std::chrono::floor<std::chrono::seconds>(arrival.time_since_epoch()).count();
  auto& second = seconds_[static_cast<std::size_t>(number) % kSeconds];
  second = {number, second.number == number ? std::min(second.least, transit) : transit};
  Span least = transit;
  for (const auto& each : seconds_) {
    const bool is_recent = number - each.number < static_cast<std::int64_t>(kSeconds);
    if (each.number >= 0 && is_recent) least = std::min(least, each.least);
  }
  return least;
}

}  // namespace submix::io
