// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/telemetry/trace_ring.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The work of all threads of all nodes, for each frame, on one clock. Pure.
namespace submix::model {

/// Times are since the beginning of the trace.
struct LaneSpan {
  std::chrono::nanoseconds begin{0};
  std::chrono::nanoseconds end{0};  ///< of a moment: equal to `begin`
  std::uint64_t frame = 0;
  telemetry::TraceKind kind = telemetry::TraceKind::working;
  std::uint32_t link = 0;  ///< of a moment

  [[nodiscard]] bool is_moment() const { return kind >= telemetry::TraceKind::sent; }
  friend bool operator==(const LaneSpan&, const LaneSpan&) = default;
};

/// A thread, or an end of a stream.
struct TraceLane {
  std::string node;
  std::string name;             ///< "left.glow", "stream left to mix"
  std::vector<LaneSpan> spans;  ///< in the order of their begins

  /// The spans between two times, and perhaps one or two beyond.
  [[nodiscard]] std::span<const LaneSpan> between(std::chrono::nanoseconds begin,
                                                  std::chrono::nanoseconds end) const;
  /// The span at `time`, or the nearest moment within `tolerance`. Null: none.
  [[nodiscard]] const LaneSpan* at(std::chrono::nanoseconds time,
                                   std::chrono::nanoseconds tolerance) const;
};

struct Timeline {
  std::vector<TraceLane> lanes;  ///< by node
  std::chrono::nanoseconds length{0};
  std::string reference;                   ///< the node whose clock counts
  std::chrono::nanoseconds error{0};       ///< of the other nodes' times, about this at most
  std::vector<std::string> by_wall_clock;  ///< nodes placed only by their time of day

  /// Sorts the spans and shifts the first to 0.
  void settle();
};

/// The last trace: running, ready or failed.
struct TraceView {
  enum class State { none, asking, merging, ready, failed };

  State state = State::none;
  int seconds = 0;  ///< asked for
  std::size_t nodes = 0;
  std::size_t nodes_answered = 0;
  /// Nodes that did not answer, for people; or why the trace failed.
  std::vector<std::string> problems;
  std::shared_ptr<const Timeline> timeline;
  bool is_saving = false;
  std::string saved_as;  ///< the saved file
  std::string save_error;
};

[[nodiscard]] std::string_view to_string(telemetry::TraceKind kind);

}  // namespace submix::model
