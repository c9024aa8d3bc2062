// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/value_gate.hpp"

#include "common/show/lookup.hpp"
#include "common/show/macros.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "controller/model/edit/play_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace submix::model {
namespace {

std::string wanted(const show::ParameterValue& example) {
  if (std::holds_alternative<bool>(example)) return "true or false";
  if (std::holds_alternative<double>(example)) return "a number";
  if (std::holds_alternative<std::string>(example)) return "a text";
  return fmt::format("{} numbers in a row, as {}", std::get<std::vector<double>>(example).size(),
                     show::to_string(example));
}

// "2 is not within 0 to 1", for one number or several.
std::string range_fault(const std::vector<double>& numbers, double least, double most) {
  for (const auto number : numbers) {
    if (number >= least && number <= most) continue;  // false for NaN
    return fmt::format("{} is not within {} to {}; give a number from {} to {}",
                       show::to_string(show::ParameterValue(number)), least, most, least, most);
  }
  return {};
}

template <typename Values>
bool has_same(const Values* values, const std::string& name,
              const typename Values::mapped_type& value) {
  if (values == nullptr) return false;
  const auto found = values->find(name);
  return found != values->end() && found->second == value;
}

// Holding an oscillator is not judged by the range that it had before.
bool has_same_range(const show::Oscillators* oscillators, const std::string& name,
                    const show::Oscillator& oscillator) {
  if (oscillators == nullptr) return false;
  const auto found = oscillators->find(name);
  return found != oscillators->end() && found->second.from == oscillator.from &&
         found->second.to == oscillator.to;
}

/// Collects the values that one show has and another has not.
class NewValues {
 public:
  NewValues(const show::Show* before, const show::Show& after) : before_(before), after_(after) {}

  void add_slots() {
    for (const auto& submix : after_.submixes) {
      const auto* old = before_ == nullptr ? nullptr : before_->find_submix(submix.name);
      if (old != nullptr && old->slots == submix.slots) continue;
      for (const auto& slot : submix.slots)
        add_slot({submix.name, slot.name},
                 old == nullptr ? nullptr : show::item_named(old->slots, slot.name), slot);
    }
  }
  void add_knobs() {
    for (const auto& knob : after_.knobs) {
      const auto* old = before_ == nullptr ? nullptr : show::item_named(before_->knobs, knob.name);
      for (const auto& target : knob.targets) {
        const bool is_old =
            old != nullptr && std::ranges::find(old->targets, target) != old->targets.end();
        if (!is_old)
          add(target.slot, target.parameter, target, fmt::format("knob \"{}\", ", knob.name));
      }
    }
  }
  void add_cues() {
    for (const auto& cue : after_.cues) {
      const auto* old = before_ == nullptr ? nullptr : show::item_named(before_->cues, cue.name);
      for (const auto& change : cue.changes) {
        const auto* parameter = std::get_if<show::CueParameter>(&change);
        const bool is_old =
            old != nullptr && std::ranges::find(old->changes, change) != old->changes.end();
        if (parameter != nullptr && !is_old)
          add(parameter->slot, parameter->parameter, parameter->value,
              fmt::format("cue \"{}\", ", cue.name));
      }
    }
  }
  void add_presets() {
    for (const auto& preset : after_.presets) {
      const auto* same =
          before_ == nullptr ? nullptr : show::item_named(before_->presets, preset.name);
      const auto* old = same != nullptr && same->of == preset.of ? same : nullptr;
      const auto of = fmt::format("preset \"{}\", ", preset.name);
      for (const auto& [name, value] : preset.parameters) {
        if (!has_same(old == nullptr ? nullptr : &old->parameters, name, value))
          add_of_preset(preset, name, value, of);
      }
      for (const auto& [name, value] : preset.oscillators) {
        if (!has_same(old == nullptr ? nullptr : &old->oscillators, name, value))
          add_of_preset(preset, name, value, of);
      }
    }
  }

  std::vector<CheckedValue> take() && { return std::move(values_); }

 private:
  void add_slot(const show::Port& port, const show::Slot* old, const show::Slot& slot) {
    const auto* former = old != nullptr && old->plugin == slot.plugin ? old : nullptr;
    for (const auto& [name, value] : slot.parameters) {
      if (!has_same(former == nullptr ? nullptr : &former->parameters, name, value))
        add(port, name, value, {});
    }
    for (const auto& [name, value] : slot.oscillators) {
      if (!has_same_range(former == nullptr ? nullptr : &former->oscillators, name, value))
        add(port, name, value, "oscillator of ");
    }
  }
  // A preset of a whole submix calls a parameter "slot.parameter".
  template <typename Value>
  void add_of_preset(const show::Preset& preset, const std::string& name, const Value& value,
                     const std::string& of) {
    if (!preset.of.slot.empty()) return add(preset.of, name, value, of);
    const auto dot = name.find('.');
    if (dot != std::string::npos)
      add({preset.of.submix, name.substr(0, dot)}, name.substr(dot + 1), value, of);
  }
  template <typename Value>
  void add(const show::Port& slot, const std::string& parameter, const Value& value,
           const std::string& of) {
    values_.push_back(
        {slot, parameter, value, fmt::format("{}{}.{}", of, show::to_string(slot), parameter)});
  }

  const show::Show* before_;
  const show::Show& after_;
  std::vector<CheckedValue> values_;
};

// The plugins, with macros that have the parameters of this very show.
PluginMap plugins_in(const show::Show& show, PluginMap plugins) {
  std::erase_if(plugins,
                [](const auto& item) { return item.first.starts_with(show::kMacroPrefix); });
  return with_macros(std::move(plugins), show);
}

// A value for a slot that the edit itself adds is judged, but not rounded.
void fit(Edit& edit, const show::Show& show, const PluginMap& plugins) {
  if (auto* group = std::get_if<EditGroup>(&edit)) {
    for (auto& part : group->edits)
      fit(part, show, plugins);
    return;
  }
  auto* set = std::get_if<SetParameter>(&edit);
  if (set == nullptr || !set->value) return;
  const auto known = find_parameter(show, plugins, set->slot, set->name);
  if (known && known->parameter != nullptr)
    set->value = fitted(*known->parameter, *std::move(set->value));
}

// A parameter's type, taken from its present value, where no description is known. Empty: no value.
std::optional<cluster::ParameterSummary> type_of_value(const CheckedValue& value,
                                                       const show::Show& show,
                                                       const show::Show* present) {
  const auto* slot = present == nullptr ? nullptr : present->find_slot(value.slot);
  const auto* next = show.find_slot(value.slot);
  if (slot == nullptr || next == nullptr || slot->plugin != next->plugin) return std::nullopt;
  const auto stated = slot->parameters.find(value.parameter);
  if (stated == slot->parameters.end()) return std::nullopt;
  constexpr auto kNoLimit = std::numeric_limits<double>::max();
  return cluster::ParameterSummary{value.parameter, "",       "", stated->second,
                                   -kNoLimit,       kNoLimit, {}};
}

std::string fault_by(const cluster::PluginSummary& plugin,
                     const cluster::ParameterSummary& parameter, const CheckedValue& value) {
  if (const auto* oscillator = std::get_if<show::Oscillator>(&value.value))
    return oscillator_fault(plugin, parameter, *oscillator);
  if (const auto* target = std::get_if<show::KnobTarget>(&value.value))
    return knob_fault(parameter, *target);
  return value_fault(parameter, std::get<show::ParameterValue>(value.value));
}

// `present` is the show before the value came. Null: none.
std::string fault_in(const CheckedValue& value, const show::Show& show, const PluginMap& plugins,
                     const show::Show* present) {
  const auto known = find_parameter(show, plugins, value.slot, value.parameter);
  if (!known) return fmt::format("{}: {}", value.place, known.error().message);
  std::string fault;
  if (known->parameter != nullptr) {
    fault = fault_by(*known->plugin, *known->parameter, value);
  } else if (const auto told = type_of_value(value, show, present)) {
    fault = fault_by({}, *told, value);
  }
  return fault.empty() ? fault : fmt::format("{}: {}", value.place, fault);
}

// A clip's range depends on two values, which an edit may set together.
std::string range_fault(const show::Show* before, const show::Show& after) {
  const auto empty = new_empty_ranges(before, after);
  return empty.empty() ? std::string() : empty.front().reason;
}

// Checks the single value of the edit and not the rest of the show: a fader calls it sixty times a
// second.
Result<Edit> admitted_value(const show::Show& show, const PluginMap& plugins, SetParameter edit) {
  const auto* slot = show.find_slot(edit.slot);
  if (slot != nullptr && is_play_range(*slot, edit.name)) {
    auto after = show;
    if (!model::apply(after, edit)) return edit;  // the editor reports the reason
    if (auto fault = range_fault(&show, after); !fault.empty()) return fail("{}", fault);
  }
  if (!edit.value) return edit;
  const bool is_so = slot != nullptr && has_same(&slot->parameters, edit.name, *edit.value);
  const CheckedValue value{edit.slot, edit.name, *edit.value,
                           fmt::format("{}.{}", show::to_string(edit.slot), edit.name)};
  if (auto fault = is_so ? std::string() : fault_of(value, show, plugins); !fault.empty())
    return fail("{}", fault);
  Edit admitted = std::move(edit);
  fit(admitted, show, plugins);
  return admitted;
}

}  // namespace

std::string value_fault(const cluster::ParameterSummary& parameter,
                        const show::ParameterValue& value) {
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  const auto* initial = std::get_if<std::vector<double>>(&parameter.initial);
  const bool is_type = value.index() == parameter.initial.index() &&
                       (numbers == nullptr || numbers->size() == initial->size());
  if (!is_type)
    return fmt::format("{} is not {}", show::to_string(value), wanted(parameter.initial));
  // colours and positions, of every plugin
  if (numbers != nullptr) return range_fault(*numbers, 0, 1);
  if (const auto* number = std::get_if<double>(&value))
    return range_fault({*number}, parameter.minimum, parameter.maximum);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || parameter.choices.empty()) return {};
  if (std::find(parameter.choices.begin(), parameter.choices.end(), *text) !=
      parameter.choices.end())
    return {};
  return fmt::format("\"{}\" is not one of {}{}", *text, fmt::join(parameter.choices, ", "),
                     show::did_you_mean(*text, parameter.choices));
}

std::string oscillator_fault(const cluster::PluginSummary& plugin,
                             const cluster::ParameterSummary& parameter,
                             const show::Oscillator& oscillator) {
  const bool may_move =
      std::holds_alternative<double>(parameter.initial) && plugin.kind != "output";
  if (!may_move)
    return "only numbers of sources, filters and mixers can move; take the oscillator out";
  return range_fault({oscillator.from, oscillator.to}, parameter.minimum, parameter.maximum);
}

std::string knob_fault(const cluster::ParameterSummary& parameter, const show::KnobTarget& target) {
  if (std::holds_alternative<bool>(parameter.initial))
    return range_fault({target.from, target.to}, 0, 1);
  if (std::holds_alternative<double>(parameter.initial))
    return range_fault({target.from, target.to}, parameter.minimum, parameter.maximum);
  return fmt::format("a knob gives a number, and the parameter takes {}; take another parameter",
                     wanted(parameter.initial));
}

show::ParameterValue fitted(const cluster::ParameterSummary& parameter,
                            show::ParameterValue value) {
  auto* number = std::get_if<double>(&value);
  if (number != nullptr && parameter.is_integer) *number = std::round(*number);
  return value;
}

show::ParameterValue turned_to(const cluster::ParameterSummary& parameter, double number) {
  if (std::holds_alternative<bool>(parameter.initial)) return number >= 0.5;
  return fitted(parameter, number);
}

Result<DescribedParameter> find_parameter(const show::Show& show, const PluginMap& plugins,
                                          const show::Port& port, const std::string& parameter) {
  const auto* slot = show.find_slot(port);
  if (slot == nullptr) return DescribedParameter{};  // validate() reports the missing slot
  const auto plugin = plugins.find(slot->plugin);
  if (plugin == plugins.end() || !plugin->second.refused_because.empty())
    return DescribedParameter{};
  const auto& parameters = plugin->second.parameters;
  if (const auto* known = show::item_named(parameters, parameter))
    return DescribedParameter{&plugin->second, known};
  std::vector<std::string> names;
  for (const auto& known : parameters)
    names.push_back(known.name);
  return fail("plugin \"{}\" has no parameter \"{}\"{}; \"submix plugins {}\" lists them",
              slot->plugin, parameter, show::did_you_mean(parameter, names), slot->plugin);
}

std::vector<CheckedValue> new_values(const show::Show* before, const show::Show& after) {
  NewValues values(before, after);
  values.add_slots();
  values.add_knobs();
  values.add_cues();
  values.add_presets();
  return std::move(values).take();
}

std::string fault_of(const CheckedValue& value, const show::Show& show, const PluginMap& plugins) {
  return fault_in(value, show, plugins, &show);
}

std::vector<std::string> undescribed(const show::Show* before, const show::Show& after,
                                     const PluginMap& plugins) {
  std::vector<std::string> places;
  for (auto& value : new_values(before, after)) {
    const auto known = find_parameter(after, plugins, value.slot, value.parameter);
    if (known && known->parameter == nullptr && after.find_slot(value.slot) != nullptr)
      places.push_back(std::move(value.place));
  }
  return places;
}

Result<Edit> admitted(const show::Show* before, const PluginMap& plugins, Edit edit) {
  if (auto* value = std::get_if<SetParameter>(&edit); value != nullptr && before != nullptr)
    return admitted_value(*before, plugins, std::move(*value));
  auto after = before == nullptr ? show::Show() : *before;
  if (!model::apply(after, edit)) return edit;  // the editor reports the reason
  const auto own_plugins =
      show::has_macros(after) ? std::optional(plugins_in(after, plugins)) : std::nullopt;
  const auto& known = own_plugins ? *own_plugins : plugins;
  const bool is_whole = std::holds_alternative<ReplaceShow>(edit);
  NewValues values(before, after);
  values.add_slots();
  if (!is_whole) {
    values.add_knobs();
    values.add_cues();
    values.add_presets();
  }
  for (const auto& value : std::move(values).take()) {
    if (auto fault = fault_in(value, after, known, before); !fault.empty())
      return fail("{}", fault);
  }
  if (auto fault = range_fault(before, after); !fault.empty()) return fail("{}", fault);
  fit(edit, after, known);
  return edit;
}

}  // namespace submix::model
