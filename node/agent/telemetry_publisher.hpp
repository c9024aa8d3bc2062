// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"
#include "node/agent/machine_probe.hpp"
#include "node/agent/node_parts.hpp"
#include "node/agent/realtime_watch.hpp"

#include <cstdint>
#include <stop_token>

namespace submix::agent {

/// Publishes a reading of the whole node ten times a second.
///
/// Threads  Confined (telemetry).
class TelemetryPublisher {
 public:
  /// `parts` outlives it.
  explicit TelemetryPublisher(NodeParts& parts)
      : parts_(parts), realtime_(parts.options.name, parts.events) {}

  /// Publishes until `stop`.
  void run(const std::stop_token& stop);

 private:
  [[nodiscard]] telemetry::NodeReading reading(std::uint64_t sequence);

  NodeParts& parts_;
  MachineProbe machine_probe_;
  RealtimeWatch realtime_;
};

}  // namespace submix::agent
