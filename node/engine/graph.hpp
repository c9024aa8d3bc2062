// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/show/document.hpp"
#include "node/plugin/catalog.hpp"

#include <cstddef>
#include <vector>

namespace submix::engine {

/// A slot among the others, which it names by their place in the submix.
struct GraphSlot {
  const plugin::Description* plugin = nullptr;
  std::vector<std::size_t> inputs;   ///< slots that it reads, in order
  std::vector<std::size_t> readers;  ///< slots that read it, one entry for each input
  bool passes_on = false;            ///< its output is its input: outputs, and what starts bypassed

  [[nodiscard]] bool is_terminal() const { return readers.empty(); }
};

/// Who reads whom in a submix. Immutable.
struct Graph {
  std::vector<GraphSlot> slots;    ///< as in the submix
  std::vector<std::size_t> order;  ///< every slot after all that it reads
  std::size_t longest_path = 0;    ///< slots from a source to a terminal slot

  /// Errors: all that is wrong, one a line: unknown plugins, inputs that do not fit, circles.
  [[nodiscard]] static Result<Graph> plan(const show::Submix& submix, const plugin::Catalog& catalog);
};

/// What decides how many frames a pool must have.
struct SeatRules {
  std::size_t queue_capacity = 0;
  std::size_t frames_in_flight_max = 0;
  std::size_t tap_readers = 0;
};

/// How many frames made by `slot` the slots behind it may hold at once, given how many each plugin retains.
///
/// To run without a hitch: what the queues and hands of its readers hold, and of theirs where a reader passes
/// its input on. In addition, since none of these comes back by itself: one frame that taps hold, those that
/// tap readers have out, and those that any plugin behind `slot` retains; any, because a slot may be bypassed
/// while running.
///
/// Why it cannot deadlock: let p be the oldest frame that has not passed all terminal slots. Whoever must
/// still make its part of p has made no later frame, so that its seats are held by frames before p only; of
/// those no queue and no hand holds any, the taps hold p-1, and the rest is counted above. So there is a seat
/// for p, and queues are in order: p moves on.
[[nodiscard]] std::size_t frames_behind(const Graph& graph, std::size_t slot,
                                        const std::vector<std::size_t>& retained, const SeatRules& rules);

}  // namespace submix::engine
