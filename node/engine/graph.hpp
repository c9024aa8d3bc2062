// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "node/plugin/catalog.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace submix::engine {

/// A reason why a slot cannot be built as its submix states.
struct SlotFault {
  std::string slot;    ///< empty: the fault concerns the whole submix
  std::string reason;  ///< for people; names submix and slot

  friend bool operator==(const SlotFault&, const SlotFault&) = default;
};
using SlotFaults = std::vector<SlotFault>;

[[nodiscard]] SlotFault fault_of(std::string_view submix, const std::string& slot,
                                 std::string_view reason);
/// All reasons, each on its own line.
[[nodiscard]] std::string to_string(const SlotFaults& faults);

/// An edge, as seen from its other end.
struct GraphEdge {
  std::size_t slot = 0;   ///< index of the slot at the other end
  std::size_t delay = 0;  ///< in frames; a loop must contain a delayed edge
  /// extra queue room in frames: how many more workers the longest parallel path has
  std::size_t slack = 0;
};

/// A slot of the graph.
struct GraphSlot {
  const plugin::Description* plugin = nullptr;
  std::vector<GraphEdge> inputs;   ///< in order
  std::vector<GraphEdge> readers;  ///< an entry for each input that reads this slot
  bool passes_on = false;   ///< its output is its input: outputs, and slots that start bypassed
  bool is_hosted = false;   ///< its plugin runs in a separate process
  std::size_t workers = 1;  ///< instances that share its frames

  /// A frame is done when it has passed all terminal slots. A delayed reader does not count: it
  /// reads this frame together with a later frame.
  [[nodiscard]] bool is_terminal() const {
    return std::all_of(readers.begin(), readers.end(),
                       [](const auto& reader) { return reader.delay > 0; });
  }
};

/// The slots of a submix and the edges between them. Immutable.
struct Graph {
  std::vector<GraphSlot> slots;  ///< in the submix's order
  /// each slot stands behind the slots that it reads without a delay
  std::vector<std::size_t> order;
  std::size_t longest_path = 0;  ///< workers on the longest path from a source to a terminal slot

  /// Errors   All faults, each on its own line: unknown plugins, inputs that do not fit, undelayed
  ///          loops, helpers for plugins that remember former frames. Finding out what a plugin
  ///          remembers may take seconds, once for each plugin.
  [[nodiscard]] static Result<Graph> plan(const show::Submix& submix,
                                          const plugin::Catalog& catalog);
  /// As plan(), but lists the faults by slot.
  [[nodiscard]] static tl::expected<Graph, SlotFaults> try_plan(const show::Submix& submix,
                                                                const plugin::Catalog& catalog);
};

/// How many frames of a submix are in flight at most, unless the submix states a number.
///
/// The number is 1 + the workers on the longest path: each worker has a frame, and the first worker
/// already finds its next frame. It is at most 1 + the number of cores: more frames would only wait
/// for a core, push each other out of the cache and be older at the end. Where plugins run in
/// separate processes, the limit is two for each core, since a core rests while a frame goes from
/// process to process.
[[nodiscard]] std::size_t frames_in_flight(const show::Submix& submix, const Graph& graph,
                                           std::size_t cores);

/// The settings from which pool sizes follow.
struct SeatRules {
  std::size_t queue_capacity = 0;
  std::size_t frames_in_flight_max = 0;
  std::size_t tap_readers = 0;
};

/// How many frames `slot` itself may hold before they are delivered: a frame for each worker, and
/// the frames held back by the ReorderBuffer, limited by the frames in flight.
[[nodiscard]] std::size_t frames_made(const GraphSlot& slot, const SeatRules& rules);

/// How many frames made by `slot` the slots behind it may hold at once. `retained` is the number of
/// frames that each plugin keeps.
///
/// To run smoothly, the count includes the queues and workers of its readers, and of their readers
/// where a reader passes its input on. Some further seats do not come back by themselves:
/// - two frames in taps: an old frame in the slot's own tap, and the newest frame in the taps of
///   slots that pass it on;
/// - the frames that tap readers hold;
/// - the frames that plugins behind `slot` retain, and the frames in delayed queues there.
/// Any slot behind counts here, because a slot may be bypassed while it runs.
///
/// Why this cannot deadlock: let p be the oldest frame that has not passed all terminal slots.
/// 1. A slot that must still make its part of p has delivered no later frame. Each of its other
/// workers holds at most a later frame, and another frame each may be held back until p is
/// delivered. Each such worker has two seats, beside the seats counted here.
/// 2. All other seats of the slot are held by frames before p. No undelayed queue and no worker
/// holds such a frame. The taps hold p-1 and an old frame; all other holders are counted above. So
/// a seat is free for p.
/// 3. Queues keep the order, and a delayed queue has room for its delay in addition. For p it gives
/// a frame before p, and all slots have already made these frames. So p moves on.
[[nodiscard]] std::size_t frames_behind(const Graph& graph, std::size_t slot,
                                        const std::vector<std::size_t>& retained,
                                        const SeatRules& rules);

/// How many of the frames behind `slot` are in delayed queues.
[[nodiscard]] std::size_t frames_delayed(const Graph& graph, std::size_t slot);

}  // namespace submix::engine
