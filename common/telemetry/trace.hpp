// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/mutex.hpp"
#include "common/telemetry/trace_ring.hpp"

#include <memory>
#include <string>
#include <vector>

namespace submix::telemetry {

/// All rings of a node. A ring whose writer is gone is gone, too.
///
/// Threads  Synchronized.
class Trace {
 public:
  /// A new ring; its name is what people see as the thread's: "left.glow", "stream left to mix".
  [[nodiscard]] std::shared_ptr<TraceRing> open(std::string name, bool is_source = false)
      SUBMIX_EXCLUDES(mutex_);
  /// Those in use, in the order in which they were made.
  [[nodiscard]] std::vector<std::shared_ptr<const TraceRing>> rings() const SUBMIX_EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  std::vector<std::weak_ptr<TraceRing>> rings_ SUBMIX_GUARDED_BY(mutex_);
};

/// Who took longest for a frame: by computing, or, a source such as a stream-in, by waiting for it.
struct LongestTurn {
  std::string name;  ///< of the ring; empty: none has the frame
  std::chrono::nanoseconds time{0};
  TraceKind kind = TraceKind::working;
};
/// Of the rings whose names begin with "`submix`."; what has not ended is left out.
[[nodiscard]] LongestTurn find_longest_turn(const Trace& trace, const std::string& submix,
                                            std::uint64_t frame);

}  // namespace submix::telemetry
