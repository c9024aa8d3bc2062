// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/sequence_check.hpp"

#include <algorithm>

namespace submix::throughput {

FrameFaults& FrameFaults::operator+=(const FrameFaults& other) {
  lost += other.lost;
  duplicated += other.duplicated;
  reordered += other.reordered;
  torn += other.torn;
  return *this;
}

void SequenceCheck::take(const MarkReading& reading) {
  ++frames_;
  if (!reading.is_whole() || reading.mark->stream != stream_ ||
      reading.mark->index >= has_come_.size()) {
    ++found_.torn;
    return;
  }
  const auto index = reading.mark->index;
  if (has_come_[index]) {
    ++found_.duplicated;
    return;
  }
  has_come_[index] = true;
  ++distinct_;
  if (index < next_) ++found_.reordered;
  next_ = std::max(next_, index + 1);
}

// A torn frame has arrived, so it is not also counted as lost.
FrameFaults SequenceCheck::faults(std::uint64_t frames_sent) const {
  auto faults = found_;
  const auto come = distinct_ + found_.torn;
  faults.lost = frames_sent > come ? frames_sent - come : 0;
  return faults;
}

}  // namespace submix::throughput
