// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plugin_check.hpp"

#include "common/show/nearest.hpp"
#include "common/show/plugin_form.hpp"
#include "common/show/text.hpp"
#include "controller/model/macro_plugins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace submix::cli {
namespace {

show::Catalogue to_catalogue(const std::vector<cluster::PluginSummary>& plugins) {
  show::Catalogue catalogue;
  for (const auto& plugin : plugins) {
    auto& form = catalogue[plugin.id];
    form.inputs = show::inputs_of_kind(plugin.kind).value_or(1);
    form.refused_because = plugin.refused_because;
    for (const auto& parameter : plugin.parameters) {
      form.parameters.push_back(parameter.name);
      const bool may_move = parameter.type == "number" && plugin.kind != "output";
      if (may_move) form.numbers.insert({parameter.name, {parameter.minimum, parameter.maximum}});
    }
  }
  return catalogue;
}

std::string wanted(const show::ParameterValue& example) {
  if (std::holds_alternative<bool>(example)) return "true or false";
  if (std::holds_alternative<double>(example)) return "a number";
  if (std::holds_alternative<std::string>(example)) return "a text";
  return fmt::format("{} numbers in a row, as {}", std::get<std::vector<double>>(example).size(),
                     show::to_string(example));
}

// "2 is not within 0 to 1", for a number or for one in a row of them.
std::string range_fault(const std::vector<double>& numbers, double least, double most) {
  for (const auto number : numbers) {
    if (number >= least && number <= most) continue;  // not so with NaN
    return fmt::format("{} is not within {} to {}; give a number from {} to {}",
                       show::to_string(show::ParameterValue(number)), least, most, least, most);
  }
  return {};
}

}  // namespace

std::string value_fault(const cluster::ParameterSummary& parameter, const show::ParameterValue& value) {
  const auto* numbers = std::get_if<std::vector<double>>(&value);
  const auto* initial = std::get_if<std::vector<double>>(&parameter.initial);
  const bool is_type = value.index() == parameter.initial.index() &&
                       (numbers == nullptr || numbers->size() == initial->size());
  if (!is_type) return fmt::format("{} is not {}", show::to_string(value), wanted(parameter.initial));
  if (numbers != nullptr) return range_fault(*numbers, 0, 1);  // colours and positions, whatever the plugin
  if (const auto* number = std::get_if<double>(&value))
    return range_fault({*number}, parameter.minimum, parameter.maximum);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr || parameter.choices.empty()) return {};
  if (std::find(parameter.choices.begin(), parameter.choices.end(), *text) != parameter.choices.end())
    return {};
  return fmt::format("\"{}\" is not one of {}{}", *text, fmt::join(parameter.choices, ", "),
                     show::did_you_mean(*text, parameter.choices));
}

show::Problems check_submix(const show::Show& show, std::size_t submix_index,
                            const std::vector<cluster::PluginSummary>& plugins) {
  auto problems = show::check_plugins(show, submix_index, to_catalogue(plugins));
  const auto& submix = show.submixes[submix_index];
  model::PluginMap known;
  for (const auto& plugin : plugins)
    known.emplace(plugin.id, plugin);
  known = model::with_macros(std::move(known), show);
  for (std::size_t i = 0; i < submix.slots.size(); ++i) {
    const auto& slot = submix.slots[i];
    const auto plugin = known.find(slot.plugin);
    if (plugin == known.end() || !plugin->second.refused_because.empty()) continue;
    const auto& parameters = plugin->second.parameters;
    for (const auto& [name, value] : slot.parameters) {
      const auto parameter = std::find_if(parameters.begin(), parameters.end(),
                                          [&](const auto& item) { return item.name == name; });
      const auto fault = parameter == parameters.end() ? "" : value_fault(*parameter, value);
      if (fault.empty()) continue;
      problems.push_back({fmt::format("submix[{}].slot[{}].parameters.{}", submix_index, i, name),
                          fmt::format("submix \"{}\", slot \"{}\": parameter \"{}\": {}", submix.name,
                                      slot.name, name, fault)});
    }
  }
  return problems;
}

}  // namespace submix::cli
