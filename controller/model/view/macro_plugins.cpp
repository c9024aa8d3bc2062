// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/macro_plugins.hpp"

#include "common/show/macros.hpp"

#include <optional>
#include <utility>

namespace submix::model {
namespace {

// Ends, because the submixes of a valid show contain each other in no circle.
const cluster::PluginSummary* find_or_make(PluginMap& plugins, const show::Show& show,
                                           const std::string& id);

void add_parameters(std::vector<cluster::ParameterSummary>& parameters, const show::Slot& slot,
                    const cluster::PluginSummary& plugin) {
  for (auto parameter : plugin.parameters) {
    const auto stated = slot.parameters.find(parameter.name);
    if (stated != slot.parameters.end()) parameter.initial = stated->second;
    parameter.name = slot.name + "." + parameter.name;
    parameters.push_back(std::move(parameter));
  }
}

std::optional<cluster::PluginSummary> summary_of(PluginMap& plugins, const show::Show& show,
                                                 const show::Submix& submix) {
  cluster::PluginSummary summary;
  summary.id = std::string(show::kMacroPrefix) + submix.name;
  summary.kind = "submix";
  summary.explanation = "the slots of submix \"" + submix.name + "\", with parameters of their own";
  for (const auto& slot : submix.slots) {
    const auto* plugin = find_or_make(plugins, show, slot.plugin);
    if (plugin == nullptr) return std::nullopt;
    add_parameters(summary.parameters, slot, *plugin);
  }
  return summary;
}

const cluster::PluginSummary* find_or_make(PluginMap& plugins, const show::Show& show,
                                           const std::string& id) {
  if (const auto known = plugins.find(id); known != plugins.end()) return &known->second;
  show::Slot slot;
  slot.plugin = id;
  const auto* submix = show.find_submix(show::macro_of(slot));
  if (submix == nullptr) return nullptr;
  auto summary = summary_of(plugins, show, *submix);
  return summary ? &plugins.emplace(id, *std::move(summary)).first->second : nullptr;
}

}  // namespace

PluginMap with_macros(PluginMap plugins, const show::Show& show) {
  for (const auto& submix : show.submixes) {
    if (show::slots_of_plugin(submix, show::kStreamOutPlugin).size() == 1)
      static_cast<void>(find_or_make(plugins, show, std::string(show::kMacroPrefix) + submix.name));
  }
  return plugins;
}

}  // namespace submix::model
