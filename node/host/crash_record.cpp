// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/crash_record.hpp"

#include <algorithm>

namespace submix::host {

std::size_t CrashRecord::add(LocalTime now) {
  auto* const end = times_.begin() + count_;
  auto* const recent =
      std::find_if(times_.begin(), end, [&](LocalTime time) { return now - time < kCrashPeriod; });
  count_ = static_cast<std::size_t>(std::move(recent, end, times_.begin()) - times_.begin());
  if (count_ == times_.size()) {
    std::move(times_.begin() + 1, times_.end(), times_.begin());
    --count_;
  }
  times_[count_++] = now;
  return count_;
}

}  // namespace submix::host
