// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/event_sink.hpp"
#include "common/telemetry/readings.hpp"

#include <string>
#include <vector>

namespace submix::agent {

/// Raises threads again that ran for too long, and reports while threads lack real-time scheduling.
class RealtimeWatch {
 public:
  /// `events` outlives it. `node` is the subject of the events.
  RealtimeWatch(std::string node, EventSink& events) : node_(std::move(node)), events_(events) {}

  /// Call a few times a second. `hosted`: slots whose plugin hosts have lost real-time scheduling,
  /// too.
  [[nodiscard]] telemetry::RealtimeReading read(const std::vector<std::string>& hosted = {});

 private:
  const std::string node_;
  EventSink& events_;
  std::vector<std::string> told_;  // threads reported as lowered
};

/// The reading for threads without real-time scheduling; an empty list means no loss.
[[nodiscard]] telemetry::RealtimeReading realtime_reading(const std::vector<std::string>& threads);

}  // namespace submix::agent
