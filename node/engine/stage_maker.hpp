// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "node/engine/graph.hpp"
#include "node/engine/patch.hpp"
#include "node/engine/stage.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace submix::engine {

/// How a slot's pool must be; no seats: it needs none.
struct PoolNeeds {
  std::size_t seats = 0;
  media::Backing backing = media::Backing::own;
};

/// A slot of a patch to be: a stage that runs already, or what a new one is made of.
struct PlannedSlot {
  std::shared_ptr<Stage> kept;  ///< null: `parts` make a new one
  StageParts parts;
  PoolNeeds pool;
};

/// Whether other ends of the patch than stream-outs stop with slot `i`. Other stream-outs do not count: each
/// may wait for its receivers as long as it takes.
[[nodiscard]] bool has_company(const Graph& graph, std::size_t i);

/// Makes the plugins that are not `kept` (one for each slot, null: to be made), from the terminal slots to
/// the sources: a plugin is told how many of its frames the patch behind it may hold. Errors: all, one a
/// line.
[[nodiscard]] Result<std::vector<PlannedSlot>> plan_slots(
    const show::Submix& submix, const PatchOptions& options, const PatchEnvironment& environment,
    const Graph& graph, const SeatRules& rules, std::vector<std::shared_ptr<Stage>> kept);

}  // namespace submix::engine
