// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/patch_tuning.hpp"

#include "node/plugin/parameters.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace submix::engine {
namespace {

// A slot of the patch, with the plugin that takes its values.
struct Target {
  const std::string& slot;
  const plugin::Description& description;
  const StageContext& context;
};

Result<show::ParameterValue> check(const Target& target, std::string_view name,
                                   const show::ParameterValue& value) {
  auto checked = plugin::check_parameter(target.description, name, value);
  if (!checked)
    return fail("submix \"{}\", slot \"{}\": {}", target.context.submix, target.slot,
                checked.error().message);
  if (!checked->remark.empty()) {
    const auto about = fmt::format("{}.{}", target.context.submix, target.slot);
    target.context.events.report(Severity::warning, about, std::move(checked->remark));
  }
  return std::move(checked->value);
}

// Removes the values of moving parameters: a stated value holds once the parameter stops moving
// (settled_values).
void remove_moving(const Modulation* modulation, show::Parameters& values) {
  if (modulation == nullptr) return;
  std::erase_if(values, [&](const auto& value) { return modulation->moves(value.first); });
}

// A parameter that is no longer stated gets its plugin's initial value again.
Result<show::Parameters> changed_values(const Target& target, const show::Slot& before,
                                        const show::Slot& after) {
  show::Parameters values;
  for (const auto& [name, value] : before.parameters) {
    const auto* known = target.description.find_parameter(name);
    if (known != nullptr && !after.parameters.contains(name)) values.emplace(name, known->initial);
  }

  for (const auto& [name, value] : after.parameters) {
    const auto old = before.parameters.find(name);
    if (old != before.parameters.end() && old->second == value) continue;
    auto checked = check(target, name, value);
    SUBMIX_TRY(checked);
    values.emplace(name, std::move(*checked));
  }
  return values;
}

// Parameters that stop moving get their stated values, or else their plugin's initial values.
show::Parameters settled_values(const Target& target, const show::Slot& after,
                                const Modulation* present, const Modulation* next) {
  show::Parameters values;
  if (present == nullptr) return values;
  for (const auto& course : present->courses()) {
    const auto& name = course.parameter;
    if (next != nullptr && next->moves(name)) continue;
    const auto stated = after.parameters.find(name);
    if (stated == after.parameters.end()) {
      values.emplace(name, target.description.find_parameter(name)->initial);
    } else if (auto value = check(target, name, stated->second)) {
      values.emplace(name, std::move(*value));
    }
  }
  return values;
}

// Notes correct values in `slot.after`; all others go to `slot.errors`.
void set_values(const Target& target, const show::SlotChange& change, SlotTuning& slot) {
  for (const auto& [name, value] : change.parameters) {
    const auto* known = target.description.find_parameter(name);
    const bool is_stated = value.has_value() || known == nullptr;
    auto checked = check(target, name, is_stated ? value.value_or(0.0) : known->initial);
    if (!checked) {
      slot.errors.push_back(std::move(checked.error().message));
      continue;
    }

    slot.tuning.values.insert_or_assign(name, std::move(*checked));
    if (value) slot.after.parameters.insert_or_assign(name, *value);
    if (!value) slot.after.parameters.erase(name);
  }
}

// Notes the oscillators and fades in `slot.after` if they fit the plugin.
void set_modulation(const Target& target, const RunningSlot& running,
                    const show::SlotChange& change, SlotTuning& slot) {
  auto after = slot.after;
  after.oscillators = change.oscillators.value_or(after.oscillators);
  after.fades = change.fades.value_or(after.fades);
  auto modulation = make_modulation(after, target.description, target.context);
  if (!modulation) {
    slot.errors.push_back(std::move(modulation.error().message));
    return;
  }

  auto& tuning = slot.tuning;
  tuning.is_moved = true;
  tuning.modulation = std::move(*modulation);
  tuning.settled = settled_values(target, after, running.modulation.get(), tuning.modulation.get());
  remove_moving(tuning.modulation.get(), tuning.values);
  slot.after = std::move(after);
}

}  // namespace

Result<Tuning> tuning_by_edit(const RunningSlot& running, const show::Slot& after,
                              const plugin::Description& description, const StageContext& context) {
  Tuning tuning;
  auto modulation = make_modulation(after, description, context);
  SUBMIX_TRY(modulation);
  tuning.modulation = std::move(*modulation);
  tuning.is_moved = true;
  if (running.description == nullptr || running.stated == nullptr) return tuning;

  const Target target{after.name, *running.description, context};
  auto values = changed_values(target, *running.stated, after);
  SUBMIX_TRY(values);
  tuning.values = std::move(*values);
  tuning.settled = settled_values(target, after, running.modulation.get(), tuning.modulation.get());
  remove_moving(running.modulation.get(), tuning.values);
  remove_moving(tuning.modulation.get(), tuning.values);
  return tuning;
}

SlotTuning tuning_by_change(const RunningSlot& running, const show::SlotChange& change,
                            const StageContext& context) {
  SlotTuning slot{.tuning = {}, .after = *running.stated, .errors = {}};
  const Target target{running.stated->name, *running.description, context};
  set_values(target, change, slot);
  remove_moving(running.modulation.get(), slot.tuning.values);

  const bool may_move = change.oscillators || change.fades || !running.stated->fades.empty();
  if (may_move) set_modulation(target, running, change, slot);
  return slot;
}

std::optional<ModulationUpdate> modulation_from(const Tuning& tuning,
                                                const std::shared_ptr<const Modulation>& present,
                                                const show::Tempo& tempo) {
  if (!tuning.is_moved) return std::nullopt;
  auto next = tuning.modulation;
  if (next) next = next->with_tempo(tempo);

  const bool is_same = present && next ? *present == *next : present == next;
  if (is_same && tuning.settled.empty()) return std::nullopt;
  return ModulationUpdate{std::move(next), tuning.settled};
}

}  // namespace submix::engine
