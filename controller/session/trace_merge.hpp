// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/view/timeline.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace submix::session {

/// The traces of several nodes as one, on the clock of the first.
struct MergedTrace {
  std::string text;       ///< a Chrome trace with a process for each node
  std::string reference;  ///< the node whose clock it is
  std::size_t spans = 0;  ///< and moments
  std::chrono::nanoseconds error{
      0};  ///< of the clocks that streams have measured: at most about this
  std::vector<std::string>
      by_wall_clock;         ///< nodes that no stream leads to: as good as their time of day is
  model::Timeline timeline;  ///< the same, to be drawn
};

/// `texts` are what nodes say (telemetry::to_chrome_json()). Errors: one that is no such trace.
[[nodiscard]] Result<MergedTrace> merge_traces(const std::vector<std::string>& texts);

}  // namespace submix::session
