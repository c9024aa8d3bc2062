// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/trace.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace submix::telemetry {

/// The clocks needed to align a node's times with another node's.
struct TraceClock {
  /// Another node's monotonic clock minus the local clock, as measured by a stream to that node.
  struct Peer {
    std::string node;
    std::chrono::nanoseconds offset{0};
    std::chrono::nanoseconds round_trip{0};  ///< the error is at most half of the round trip
  };
  LocalTime now;
  std::chrono::nanoseconds wall{0};  ///< time of day at `now`, since 1970
  std::vector<Peer> peers;
};

/// The spans that ended at `since` or later as a Chrome trace (chrome://tracing, Perfetto). The
/// node is a process and each ring a thread. Times are microseconds of the node's monotonic clock.
/// An unfinished span lasts until `clock.now` and has "unfinished" among its "args".
///
/// Shape    One JSON object. `otherData` has the fields for merging: "node", "steady_ns",
///          "wall_ns", "peers".
[[nodiscard]] std::string to_chrome_json(const Trace& trace, const std::string& node,
                                         const TraceClock& clock, LocalTime since);

}  // namespace submix::telemetry
