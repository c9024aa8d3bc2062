// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/telemetry/trace_ring.hpp"

#include <memory>
#include <string>
#include <vector>

namespace submix::telemetry {

/// All trace rings of a node. A ring is removed when its writer has dropped it.
///
/// Threads  Synchronized.
class Trace {
 public:
  /// Makes a ring. `name` is the thread's name for people: "left.glow", "stream left to mix".
  [[nodiscard]] std::shared_ptr<TraceRing> open(std::string name, bool is_source = false)
      SUBMIX_EXCLUDES(mutex_);
  /// The rings in use, in the order of their creation.
  [[nodiscard]] std::vector<std::shared_ptr<const TraceRing>> rings() const SUBMIX_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::vector<std::weak_ptr<TraceRing>> rings_ SUBMIX_GUARDED_BY(mutex_);
};

/// The slot that took longest for a frame: computing, or, for a source such as a stream-in,
/// waiting.
struct LongestTurn {
  std::string name;  ///< name of the ring; empty: no ring has the frame
  std::chrono::nanoseconds time{0};
  TraceKind kind = TraceKind::working;
};
/// Looks at the rings whose names begin with "`submix`.". Unfinished spans are left out.
[[nodiscard]] LongestTurn find_longest_turn(const Trace& trace, const std::string& submix,
                                            std::uint64_t frame);

}  // namespace submix::telemetry
