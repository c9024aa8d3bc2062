// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/late_watch.hpp"

#include <algorithm>
#include <utility>

namespace submix::agent {

std::optional<LateFrame> LateWatch::find_late(const std::vector<telemetry::SubmixReading>& readings,
                                              LocalTime now) {
  std::optional<LateFrame> first;
  std::uint64_t missed = 0;
  for (const auto& reading : readings) {
    const Seen now_seen{reading.frames, reading.missed_frames};
    auto before = std::exchange(seen_[reading.name], now_seen);
    if (now_seen.frames < before.frames) before = {};  // the patch was rebuilt and counts from 0
    // The count of missed frames shrinks when a window that kept a display's time is closed.
    const auto more = now_seen.missed - std::min(before.missed, now_seen.missed);
    missed += more;
    if (more > 0 && !first) first = LateFrame{reading.name, reading.missed_frame};
  }
  if (!first || has_just_reported(now)) {
    untold_ += missed;
    return std::nullopt;
  }
  told_ = now;
  first->untold = std::exchange(untold_, 0) + missed - 1;
  return first;
}

std::uint64_t LateWatch::take_untold(LocalTime now) {
  return has_just_reported(now) ? 0 : std::exchange(untold_, 0);
}

}  // namespace submix::agent
