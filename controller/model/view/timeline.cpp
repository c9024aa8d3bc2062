// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/timeline.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace submix::model {

using std::chrono::nanoseconds;

std::span<const LaneSpan> TraceLane::between(nanoseconds begin, nanoseconds end) const {
  // A thread does one thing at a time, so only the last span before the first one inside can
  // overlap.
  auto first = std::ranges::lower_bound(spans, begin, {}, &LaneSpan::begin);
  if (first != spans.begin()) --first;
  const auto last = std::ranges::upper_bound(spans, end, {}, &LaneSpan::begin);
  if (last <= first) return {};
  return {first, last};
}

const LaneSpan* TraceLane::at(nanoseconds time, nanoseconds tolerance) const {
  const LaneSpan* nearest = nullptr;
  auto distance = tolerance;
  for (const auto& span : between(time - tolerance, time + tolerance)) {
    if (!span.is_moment() && span.begin <= time && time < span.end) return &span;
    const auto away = span.begin > time ? span.begin - time : time - span.begin;
    if (!span.is_moment() || away > distance) continue;
    nearest = &span;
    distance = away;
  }
  return nearest;
}

void Timeline::settle() {
  std::erase_if(lanes, [](const TraceLane& lane) { return lane.spans.empty(); });
  auto first = nanoseconds::max();
  auto last = nanoseconds::min();
  for (auto& lane : lanes) {
    std::ranges::stable_sort(lane.spans, {}, &LaneSpan::begin);
    first = std::min(first, lane.spans.front().begin);
    for (const auto& span : lane.spans)
      last = std::max(last, span.end);
  }
  if (lanes.empty()) return;
  for (auto& lane : lanes) {
    for (auto& span : lane.spans) {
      span.begin -= first;
      span.end -= first;
    }
  }
  length = last - first;
}

std::string_view to_string(telemetry::TraceKind kind) {
  static constexpr std::array<std::string_view, 6> kNames{"working", "starved",  "blocked",
                                                          "sent",    "received", "released"};
  return kNames.at(static_cast<std::size_t>(kind) % kNames.size());
}

}  // namespace submix::model
