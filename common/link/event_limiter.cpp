// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/event_limiter.hpp"

#include "common/link/timing.hpp"

#include <fmt/format.h>

#include <utility>

namespace submix::link {
namespace {

constexpr std::size_t kEntriesMax = 256;  // names come from peers; beyond that all share one entry

}  // namespace

void EventLimiter::report(Severity severity, const std::string& kind, std::string about, std::string text) {
  if (sink_ == nullptr) return;
  const auto now = clock_.now();
  {
    MutexLock lock(mutex_);
    auto name = kind + " " + about;
    if (entries_.size() >= kEntriesMax && !entries_.contains(name)) name = "others";
    const auto [place, is_first] = entries_.try_emplace(std::move(name), Entry{now, 0});
    auto& entry = place->second;
    if (!is_first && now - entry.last < kEventPause) {
      ++entry.withheld;
      return;
    }
    if (entry.withheld > 0) text += fmt::format(" ({} more of this kind before)", entry.withheld);
    entry = {now, 0};
  }
  sink_->report(severity, std::move(about), std::move(text));
}

}  // namespace submix::link
