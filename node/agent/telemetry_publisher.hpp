// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/latest_value.hpp"
#include "common/telemetry/readings.hpp"
#include "node/agent/machine_probe.hpp"
#include "node/agent/node_parts.hpp"
#include "node/agent/realtime_watch.hpp"

#include <cstdint>
#include <memory>
#include <stop_token>

namespace submix::agent {

/// Publishes a reading of the whole node ten times a second.
///
/// Threads  Confined (telemetry), but for newest().
class TelemetryPublisher {
 public:
  /// `parts` outlives it.
  explicit TelemetryPublisher(NodeParts& parts)
      : parts_(parts), realtime_(parts.options.name, parts.events) {}

  /// Publishes until `stop`.
  void run(const std::stop_token& stop);

  /// The last reading, for metrics; null: none yet.
  [[nodiscard]] std::shared_ptr<const telemetry::NodeReading> newest() const {
    return newest_.load();
  }

 private:
  [[nodiscard]] telemetry::NodeReading reading(std::uint64_t sequence);

  NodeParts& parts_;
  LatestValue<telemetry::NodeReading> newest_;
  MachineProbe machine_probe_;
  RealtimeWatch realtime_;
};

}  // namespace submix::agent
