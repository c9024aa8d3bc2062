// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/fallback.hpp"

#include "common/show/lookup.hpp"
#include "node/plugin/built_ins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace submix::agent {
namespace {

constexpr std::string_view kAsBefore = "the slot goes on as it was before";
constexpr std::string_view kBlack = "black stands in for it";
constexpr std::string_view kPassedOn = "its input is passed on";

/// An unknown plugin is a source if its slot reads nothing.
bool is_source(const show::Submix& submix, const show::Slot& slot, const plugin::Catalog& catalog) {
  if (const auto known = catalog.describe(slot.plugin))
    return (*known)->kind == plugin::Kind::source;
  if (slot.inputs) return slot.inputs->empty();
  const bool is_first = &slot == submix.slots.data();
  return slot.above ? slot.above->empty() : is_first;
}

show::Slot stand_in_for(const show::Slot& slot, bool is_source, const std::string& reason) {
  show::Slot stand_in;
  stand_in.name = slot.name;
  stand_in.plugin = is_source ? plugin::kStandInSource : plugin::kStandInFilter;
  stand_in.parameters.emplace("reason", reason);
  stand_in.above = slot.above;
  if (!is_source && slot.inputs && !slot.inputs->empty())
    stand_in.inputs = std::vector{slot.inputs->front()};
  return stand_in;
}

/// Replaces faulty slots by their former version. A slot without a former version is left alone.
void put_former_slots(show::Submix& submix, const engine::SlotFaults& faults,
                      const show::Submix* good) {
  for (const auto& fault : faults) {
    auto* slot = show::find_slot(submix, fault.slot);
    const auto* former = good == nullptr ? nullptr : show::find_slot(*good, fault.slot);
    if (former == nullptr || former->inputs != slot->inputs) continue;
    *slot = *former;
  }
}

bool is_of_slots(const show::Submix& submix, const engine::SlotFaults& faults) {
  return std::ranges::all_of(
      faults, [&](const auto& fault) { return show::find_slot(submix, fault.slot) != nullptr; });
}

/// The faults as a text, each with its replacement.
std::string tell(const engine::SlotFaults& faults, const show::Submix& submix) {
  std::string text;
  for (const auto& fault : faults) {
    const auto& plugin = show::find_slot(submix, fault.slot)->plugin;
    const auto instead = plugin == plugin::kStandInSource   ? kBlack
                         : plugin == plugin::kStandInFilter ? kPassedOn
                                                            : kAsBefore;
    text += fmt::format("{}{}; {}", text.empty() ? "" : "\n", fault.reason, instead);
  }
  return text;
}

}  // namespace

std::optional<Fallback> find_fallback(const show::Submix& wanted, const show::Submix* good,
                                      const plugin::Catalog& catalog,
                                      const FindFaults& find_faults) {
  const auto faults = find_faults(wanted);
  if (faults.empty() || !is_of_slots(wanted, faults)) return std::nullopt;
  Fallback fallback{wanted, {}};
  put_former_slots(fallback.submix, faults, good);

  const auto remaining = find_faults(fallback.submix);
  if (!is_of_slots(wanted, remaining)) return std::nullopt;
  for (const auto& fault : remaining) {
    auto* slot = show::find_slot(fallback.submix, fault.slot);
    *slot = stand_in_for(*slot, is_source(fallback.submix, *slot, catalog), fault.reason);
  }

  if (!remaining.empty() && !find_faults(fallback.submix).empty()) return std::nullopt;
  fallback.error = tell(faults, fallback.submix);
  return fallback;
}

}  // namespace submix::agent
