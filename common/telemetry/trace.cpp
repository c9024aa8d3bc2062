// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/telemetry/trace.hpp"

#include <utility>

namespace submix::telemetry {

std::shared_ptr<TraceRing> Trace::open(std::string name, bool is_source) {
  auto ring = std::make_shared<TraceRing>(std::move(name), is_source);
  const MutexLock lock(mutex_);
  std::erase_if(rings_, [](const auto& each) { return each.expired(); });
  rings_.push_back(ring);
  return ring;
}

std::vector<std::shared_ptr<const TraceRing>> Trace::rings() const {
  std::vector<std::shared_ptr<const TraceRing>> rings;
  const MutexLock lock(mutex_);
  for (const auto& each : rings_) {
    if (auto ring = each.lock()) rings.push_back(std::move(ring));
  }
  return rings;
}

LongestTurn find_longest_turn(const Trace& trace, const std::string& submix, std::uint64_t frame) {
  LongestTurn longest;
  for (const auto& ring : trace.rings()) {
    if (!ring->name().starts_with(submix + ".")) continue;
    const auto spans = ring->spans();
    for (const auto kind : {TraceKind::working, TraceKind::starved}) {
      if (kind == TraceKind::starved && !ring->is_source()) continue;
      std::chrono::nanoseconds time{0};
      for (const auto& span : spans) {
        const bool counts =
            span.frame == frame && span.kind == kind && span.end != TraceSpan::kUnfinished;
        if (counts) time += span.end - span.begin;
      }
      if (time > longest.time) longest = {ring->name(), time, kind};
    }
  }
  return longest;
}

}  // namespace submix::telemetry
