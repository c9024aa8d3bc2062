// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/trial.hpp"

#include "common/show/lookup.hpp"
#include "node/engine/modulation.hpp"
#include "node/engine/stage_set.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace submix::engine {
namespace {

/// Null `submix`: nothing runs.
const show::Slot* find_slot(const show::Submix* submix, const std::string& name) {
  return submix == nullptr ? nullptr : show::find_slot(*submix, name);
}

Result<void> check_slot(const show::Submix& submix, const show::Slot& slot, const Format& format,
                        const PatchEnvironment& environment) {
  const auto description = environment.catalog.describe(slot.plugin);
  SUBMIX_TRY(description);
  if (auto checked = check_oscillators(slot, **description); !checked) return checked;

  const plugin::Setup setup{.submix = submix.name,
                            .slot = slot.name,
                            .size = format.size,
                            .rate = format.rate,
                            .parameters = slot.parameters,
                            .clock = &environment.clock,
                            .hosting = slot.hosting,
                            .is_bypassed = slot.is_bypassed};
  return environment.catalog.check(slot.plugin, setup);
}

/// A slot of the same name and plugin takes its pool over.
std::vector<std::size_t> seats_there(const show::Submix& submix, const show::Submix* running) {
  std::vector<std::size_t> seats;
  for (const auto& slot : submix.slots) {
    const auto* before = find_slot(running, slot.name);
    const bool is_kept = before != nullptr && before->plugin == slot.plugin;
    seats.push_back(is_kept ? std::numeric_limits<std::size_t>::max() : 0);
  }
  return seats;
}

}  // namespace

Trial try_submix(const show::Submix& submix, const show::Submix* running, const Format& format,
                 const PatchEnvironment& environment) {
  Trial trial;
  const auto graph = Graph::try_plan(submix, environment.catalog);
  if (!graph) trial.faults = graph.error();

  for (const auto& slot : submix.slots) {
    const auto* before = find_slot(running, slot.name);
    const bool is_unchanged = before != nullptr && *before == slot;
    const bool is_known =
        std::ranges::find(trial.faults, slot.name, &SlotFault::slot) != trial.faults.end();
    if (is_unchanged || is_known) continue;

    const auto checked = check_slot(submix, slot, format, environment);
    if (!checked) trial.faults.push_back(fault_of(submix.name, slot.name, checked.error().message));
  }

  if (graph)
    trial.memory_bytes = memory_needed(*graph, format.size, seats_there(submix, running)).bytes;
  return trial;
}

std::size_t memory_of_new_pools(const show::Submix& submix, const show::Submix* running,
                                const Format& format, const PatchEnvironment& environment) {
  const auto graph = Graph::try_plan(submix, environment.catalog);
  return graph ? memory_needed(*graph, format.size, seats_there(submix, running)).bytes : 0;
}

}  // namespace submix::engine
