// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/trace.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace submix::telemetry {

/// What is needed to bring a node's times in line with another's.
struct TraceClock {
  /// Another node's monotonic clock less the own one, as measured by a stream to it.
  struct Peer {
    std::string node;
    std::chrono::nanoseconds offset{0};
    std::chrono::nanoseconds round_trip{0};  ///< the error is at most half of it
  };
  LocalTime now;
  std::chrono::nanoseconds wall{0};  ///< at `now`, since 1970
  std::vector<Peer> peers;
};

/// The rings' spans that ended at `since` or later as a Chrome trace (chrome://tracing, Perfetto): a process
/// for the node, a thread for each ring, times of the node's monotonic clock in microseconds. What has not
/// ended lasts until `clock.now`, and has "unfinished" among its "args".
///
/// Shape    One JSON object. `otherData` has what merging needs: "node", "steady_ns", "wall_ns", "peers".
[[nodiscard]] std::string to_chrome_json(const Trace& trace, const std::string& node,
                                         const TraceClock& clock, LocalTime since);

}  // namespace submix::telemetry
