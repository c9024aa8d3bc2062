// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/patch.hpp"
#include "node/engine/stage.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace submix::engine {

/// The frame pool that a slot needs. Without seats: none.
struct PoolNeeds {
  std::size_t seats = 0;
  std::size_t seats_at_once = 0;  ///< with memory from the beginning
  media::Backing backing = media::Backing::own;
};

/// A slot of a planned patch: a stage that keeps running, or the parts of a new stage.
struct PlannedSlot {
  std::shared_ptr<Stage> kept;  ///< null: `parts` make a new stage
  StageParts parts;
  PoolNeeds pool;
};

/// A submix to plan, and what its plugins are made with.
struct PlanInput {
  const show::Submix& submix;
  const PatchOptions& options;
  const PatchEnvironment& environment;
  std::function<void()> demand_grew = {};  ///< see plugin::Setup
};

/// True: the patch has another slot without readers that is no stream-out, such as a window. While
/// slot `i` waits for its receivers, that slot stands still, too.
[[nodiscard]] bool has_other_ends(const Graph& graph, std::size_t i);

/// Makes the plugins of all slots without a `kept` stage (null entries), from the terminal slots to
/// the sources: a plugin is told how many of its frames the patch behind it may hold.
///
/// Errors   All faults, each on its own line.
[[nodiscard]] Result<std::vector<PlannedSlot>> plan_slots(const PlanInput& input,
                                                          const Graph& graph,
                                                          const SeatRules& rules,
                                                          std::vector<std::shared_ptr<Stage>> kept);

}  // namespace submix::engine
