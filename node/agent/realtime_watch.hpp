// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/telemetry/readings.hpp"

#include <string>
#include <vector>

namespace submix::agent {

/// Raises threads again that ran for too long, and tells people while they go without real-time scheduling.
///
/// Threads  Confined (telemetry).
class RealtimeWatch {
 public:
  /// `events` outlives it; `node` is what they are about.
  RealtimeWatch(std::string node, EventSink& events) : node_(std::move(node)), events_(events) {}

  /// Now and then, a few times a second. `hosted`: slots whose plugin hosts have lost it, too.
  [[nodiscard]] telemetry::RealtimeReading read(const std::vector<std::string>& hosted = {});

 private:
  const std::string node_;
  EventSink& events_;
  std::vector<std::string> told_;  // threads
};

/// Of threads that have lost it for now; none: nothing is lost.
[[nodiscard]] telemetry::RealtimeReading realtime_reading(const std::vector<std::string>& threads);

}  // namespace submix::agent
