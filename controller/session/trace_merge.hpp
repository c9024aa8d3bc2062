// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/view/timeline.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace submix::session {

/// The traces of several nodes merged into one, on the clock of the first node.
struct MergedTrace {
  std::string text;       ///< a Chrome trace with a process for each node
  std::string reference;  ///< the node whose clock is used
  std::size_t spans = 0;  ///< number of spans and moments
  /// The error of clocks that streams have measured: at most about this.
  std::chrono::nanoseconds error{0};
  /// Nodes without a measuring stream: aligned by their time of day.
  std::vector<std::string> by_wall_clock;
  model::Timeline timeline;  ///< the same content, to be drawn
};

/// Merges the nodes' traces (telemetry::to_chrome_json()).
/// Errors   A text is no such trace.
[[nodiscard]] Result<MergedTrace> merge_traces(const std::vector<std::string>& texts);

}  // namespace submix::session
