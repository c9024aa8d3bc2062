// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/plugin_kinds.hpp"

#include "common/show/macros.hpp"
#include "common/show/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace submix::model {
namespace {

// The last part of a plugin's id, without characters that names may not have.
std::string name_of(std::string_view plugin) {
  std::string name;
  for (const char letter : plugin.substr(plugin.rfind('/') + 1)) {
    const auto code = static_cast<unsigned char>(letter);
    const bool is_plain = std::isalnum(code) != 0 || letter == '-' || letter == '_';
    name += is_plain ? static_cast<char>(std::tolower(code)) : '-';
  }
  const auto first = std::min(name.find_first_not_of("-_"), name.size());
  name.erase(0, first);
  name.resize(std::min(name.size(), show::kNameBytesMax - 4));  // room for "-64"
  return name.empty() ? "slot" : name;
}

}  // namespace

std::optional<show::InputCount> input_count(const show::Show& show, const PluginMap& plugins,
                                            std::string_view plugin) {
  if (plugin == show::kStreamInPlugin) return 0;
  if (plugin == show::kStreamOutPlugin) return 1;
  if (plugin.starts_with(show::kMacroPrefix)) {
    const auto* submix = show.find_submix(plugin.substr(show::kMacroPrefix.size()));
    if (submix == nullptr) return std::nullopt;
    return show::slots_of_plugin(*submix, show::kStreamInPlugin).size();
  }
  const auto found = plugins.find(plugin);
  return found == plugins.end() ? std::nullopt : show::inputs_of_kind(found->second.kind);
}

bool is_output(const PluginMap& plugins, std::string_view plugin) {
  if (plugin == show::kStreamOutPlugin) return true;
  const auto found = plugins.find(plugin);
  return found != plugins.end() && found->second.kind == "output";
}

bool is_filter(const PluginMap& plugins, std::string_view plugin) {
  const auto found = plugins.find(plugin);
  return found != plugins.end() && found->second.kind == "filter";
}

std::string last_picture_of(const show::Submix& submix, const PluginMap& plugins) {
  const auto makes_picture = [&](const show::Slot& slot) {
    return !is_output(plugins, slot.plugin);
  };
  const auto found = std::find_if(submix.slots.rbegin(), submix.slots.rend(), makes_picture);
  return found == submix.slots.rend() ? submix.slots.back().name : found->name;
}

std::string free_slot_name(const show::Submix& submix, std::string_view plugin) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(submix.slots,
                               [&](const show::Slot& slot) { return slot.name == name; });
  };
  const auto base = name_of(plugin);
  auto name = base;
  for (int number = 2; is_taken(name); ++number)
    name = fmt::format("{}-{}", base, number);
  return name;
}

}  // namespace submix::model
