// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plugin_check.hpp"

#include "common/show/plugin_form.hpp"
#include "controller/model/edit/value_gate.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

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
      const auto fault = parameter == parameters.end() ? "" : model::value_fault(*parameter, value);
      if (fault.empty()) continue;
      problems.push_back({fmt::format("submix[{}].slot[{}].parameters.{}", submix_index, i, name),
                          fmt::format("submix \"{}\", slot \"{}\": parameter \"{}\": {}",
                                      submix.name, slot.name, name, fault)});
    }
  }
  return problems;
}

}  // namespace submix::cli
