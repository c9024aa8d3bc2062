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

/// Why a slot cannot be what its submix says.
struct SlotFault {
  std::string slot;    ///< empty: the fault is the whole submix's
  std::string reason;  ///< for people; names submix and slot

  friend bool operator==(const SlotFault&, const SlotFault&) = default;
};
using SlotFaults = std::vector<SlotFault>;

[[nodiscard]] SlotFault fault_of(std::string_view submix, const std::string& slot,
                                 std::string_view reason);
/// All reasons, one a line.
[[nodiscard]] std::string to_string(const SlotFaults& faults);

/// One end of an edge, as the other one sees it.
struct GraphEdge {
  std::size_t slot = 0;   ///< at the other end, by its place in the submix
  std::size_t delay = 0;  ///< in frames; an edge without one never closes a circle
  std::size_t slack = 0;  ///< workers that another way has more: so many frames wait here for it
};

/// A slot among the others.
struct GraphSlot {
  const plugin::Description* plugin = nullptr;
  std::vector<GraphEdge> inputs;   ///< in order
  std::vector<GraphEdge> readers;  ///< one entry for each input of theirs
  bool passes_on = false;          ///< its output is its input: outputs, and what starts bypassed
  bool is_hosted = false;          ///< its plugin has a process of its own
  std::size_t workers = 1;         ///< that share its frames

  /// A frame is done when it has passed all of these. Who reads it later needs another frame for that.
  [[nodiscard]] bool is_terminal() const {
    return std::all_of(readers.begin(), readers.end(),
                       [](const auto& reader) { return reader.delay > 0; });
  }
};

/// Who reads whom in a submix. Immutable.
struct Graph {
  std::vector<GraphSlot> slots;    ///< as in the submix
  std::vector<std::size_t> order;  ///< every slot after all that it reads without a delay
  std::size_t longest_path = 0;    ///< workers from a source to a terminal slot

  /// Errors: all that is wrong, one a line: unknown plugins, inputs that do not fit, circles, helpers for
  /// plugins that keep something of their frames (to find that out may take seconds, once for each plugin).
  [[nodiscard]] static Result<Graph> plan(const show::Submix& submix,
                                          const plugin::Catalog& catalog);
  /// The same, with the errors by slot.
  [[nodiscard]] static tl::expected<Graph, SlotFaults> try_plan(const show::Submix& submix,
                                                                const plugin::Catalog& catalog);
};

/// How many frames of a submix are in flight at most, where it does not say: one more than there are hands on
/// its longest way, so that each has its next frame waiting for it; or than there are cores, if those are
/// fewer. More frames would wait for a core, push each other out of the cache, and be older at the end. Where
/// plugins run in processes of their own it is two for each core: one is at rest while a frame is handed
/// over.
[[nodiscard]] std::size_t frames_in_flight(const show::Submix& submix, const Graph& graph,
                                           std::size_t cores);

/// What decides how many frames a pool must have.
struct SeatRules {
  std::size_t queue_capacity = 0;
  std::size_t frames_in_flight_max = 0;
  std::size_t tap_readers = 0;
};

/// How many frames of its own `slot` may have at once before they leave: one for each worker, and those that
/// are kept until their turn, as far as so many may be in flight.
[[nodiscard]] std::size_t frames_made(const GraphSlot& slot, const SeatRules& rules);

/// How many frames made by `slot` the slots behind it may hold at once, given how many each plugin retains.
///
/// To run without a hitch: what the queues and workers of its readers hold, and of theirs where a reader
/// passes its input on. In addition, since none of these comes back by itself: two frames that taps hold (its
/// own tap, which may be an old one, and the last one in those that pass it on), those that tap readers have
/// out, those that any plugin behind `slot` retains, and those that wait for their delay there; any, because
/// a slot may be bypassed while running.
///
/// Why it cannot deadlock: let p be the oldest frame that has not passed all terminal slots. Whoever must
/// still make its part of p has handed on no later frame; its other workers hold one later frame each at
/// most, and one each is kept until p has left: they have two seats each beside these. All its other seats
/// are held by frames before p; of those no queue but the delayed ones and no worker holds any, the taps hold
/// p-1 and an old one, and the rest is counted above. So there is a seat for p. Queues are in order, and a
/// delayed one has room for its delay beside; what it gives for p is a frame before p, which is there: all
/// slots have made it. So p moves on.
[[nodiscard]] std::size_t frames_behind(const Graph& graph, std::size_t slot,
                                        const std::vector<std::size_t>& retained,
                                        const SeatRules& rules);

/// How many of those wait for their delay.
[[nodiscard]] std::size_t frames_delayed(const Graph& graph, std::size_t slot);

}  // namespace submix::engine
