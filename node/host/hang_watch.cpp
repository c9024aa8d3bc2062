// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/hang_watch.hpp"

#include <algorithm>

namespace submix::host {
namespace {

using std::chrono::nanoseconds;

constexpr int kFrameTimesMax = 3;
constexpr nanoseconds kFirstFrameLimit = std::chrono::seconds(1);
constexpr int kUsualTimesMax = 4;
constexpr int kStarvedTimesMax = 10;
// The longest time shrinks by this fraction of itself with each frame.
constexpr int kFramesToForget = 32;

}  // namespace

HangWatch::HangWatch(FrameRate rate, nanoseconds least_limit)
    : least_(std::max(least_limit, rate.time_of(FrameIndex{kFrameTimesMax}))) {}

nanoseconds HangWatch::limit() const {
  return std::max(
      {least_, kUsualTimesMax * usual_, has_made_one_ ? nanoseconds(0) : first_limit()});
}

nanoseconds HangWatch::first_limit() const {
  return first_ == nanoseconds(0) ? kFirstFrameLimit : kUsualTimesMax * first_;
}

bool HangWatch::has_hung(const Activity& activity) const {
  if (activity.waited < limit()) return false;
  return activity.computed >= limit() || !activity.is_computing ||
         activity.waited >= kStarvedTimesMax * limit();
}

void HangWatch::note_frame(nanoseconds took) {
  usual_ = std::max(took, usual_ - usual_ / kFramesToForget);
  if (!has_made_one_) first_ = std::max(first_, took);
  has_made_one_ = true;
}

}  // namespace submix::host
