// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/readings.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace submix::metrics {

/// The newest reading of a node.
struct KnownNode {
  std::shared_ptr<const telemetry::NodeReading> reading;
  /// False: the node was heard once, but is silent. Its other metrics are left out.
  bool is_up = true;
};

/// The metrics of nodes in the text format of Prometheus. Counters are totals since the node, the
/// submix or the stream began; times are in seconds, sizes in bytes.
///
/// Source   https://prometheus.io/docs/practices/naming
[[nodiscard]] std::string metrics_text(const std::vector<KnownNode>& nodes);

}  // namespace submix::metrics
