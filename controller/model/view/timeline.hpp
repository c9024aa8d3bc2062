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

/// What all threads of all nodes did for which frame, on one clock. Pure.
namespace submix::model {

/// Times are since the beginning of the trace.
struct LaneSpan {
  std::chrono::nanoseconds begin{0};
  std::chrono::nanoseconds end{0};  ///< a moment's: its begin
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

  /// Those that are seen between two times, and perhaps one or two beyond.
  [[nodiscard]] std::span<const LaneSpan> between(std::chrono::nanoseconds begin,
                                                  std::chrono::nanoseconds end) const;
  /// The one that lasts at a time, or the moment nearest to it within `tolerance`; null: none.
  [[nodiscard]] const LaneSpan* at(std::chrono::nanoseconds time,
                                   std::chrono::nanoseconds tolerance) const;
};

struct Timeline {
  std::vector<TraceLane> lanes;  ///< by node
  std::chrono::nanoseconds length{0};
  std::string reference;                   ///< the node whose clock it is
  std::chrono::nanoseconds error{0};       ///< of the other nodes' times, at most about this
  std::vector<std::string> by_wall_clock;  ///< nodes that are placed by their time of day only

  /// Puts spans in order and lets the first one begin at 0.
  void settle();
};

/// A trace that is being taken, or has been.
struct TraceView {
  enum class State { none, asking, merging, ready, failed };

  State state = State::none;
  int seconds = 0;  ///< asked for
  std::size_t nodes = 0;
  std::size_t nodes_answered = 0;
  std::vector<std::string> problems;  ///< of nodes that did not tell, for people; or why it failed
  std::shared_ptr<const Timeline> timeline;
  bool is_saving = false;
  std::string saved_as;  ///< the file that has it
  std::string save_error;
};

[[nodiscard]] std::string_view to_string(telemetry::TraceKind kind);

}  // namespace submix::model
