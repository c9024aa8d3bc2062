// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/editing.hpp"

#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "controller/cli/plugin_check.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/value_gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace submix::cli {
namespace {

std::optional<bool> switch_position(std::string_view word) {
  if (word == "on" || word == "yes") return true;
  if (word == "off" || word == "no") return false;
  return std::nullopt;
}

// By its present value, or by its plugin's description.
bool is_switch(cluster::Cluster& cluster, const show::Show& show,
               const model::SetParameter& target) {
  const auto* slot = show.find_slot(target.slot);
  if (slot == nullptr) return false;
  const auto present = slot->parameters.find(target.name);
  if (present != slot->parameters.end()) return std::holds_alternative<bool>(present->second);
  const auto plugins = descriptions_for(cluster, show, {target.slot.submix});
  const auto known = model::find_parameter(show, plugins, target.slot, target.name);
  return known && known->parameter != nullptr &&
         std::holds_alternative<bool>(known->parameter->initial);
}

}  // namespace

Result<show::ParameterValue> value_for(cluster::Cluster& cluster, const model::SetParameter& target,
                                       const std::string& text) {
  auto value = show::parse_value(text);
  if (!value || !std::holds_alternative<std::string>(*value)) return value;

  const auto current = read_show(cluster);
  SUBMIX_TRY(current);
  if (!is_switch(cluster, current->show, target)) return value;
  if (const auto position = switch_position(text)) return *position;
  return fail("{}.{}: {} is not true or false; write on, off, true, false, yes or no",
              show::to_string(target.slot), target.name, show::to_string(*value));
}

Result<void> check_slot(cluster::Cluster& cluster, const model::Edit& edit, const show::Port& slot,
                        const std::string& place) {
  auto current = read_show(cluster);
  SUBMIX_TRY(current);
  SUBMIX_TRY(model::apply(current->show, edit));
  const auto* submix = current->show.find_submix(slot.submix);
  if (submix->node.empty()) return {};
  const auto plugins = cluster.request_plugins(submix->node, kPluginsPatience);
  if (!plugins) return {};
  const auto index = static_cast<std::size_t>(submix - current->show.submixes.data());
  for (const auto& problem : check_submix(current->show, index, *plugins)) {
    const bool is_of_slot =
        problem.text.find(fmt::format("slot \"{}\"", slot.slot)) != std::string::npos;
    if (is_of_slot && problem.path.ends_with("." + place)) return fail("{}", problem.text);
  }
  return {};
}

Result<void> check_node(cluster::Cluster& cluster, const std::string& node) {
  const auto current = read_show(cluster);
  SUBMIX_TRY(current);
  std::vector<std::string> names;
  for (const auto& known : current->show.nodes)
    names.push_back(known.name);
  const bool is_known = node.empty() || std::ranges::find(names, node) != names.end();
  if (is_known || cluster.is_there(node, kPluginsPatience)) return {};
  return fail("node \"{}\" is neither in the show nor running{}; start it: submix-node --name {}",
              node, show::did_you_mean(node, names), node);
}

Result<show::Port> parse_place(const std::string& text) {
  if (text.find('.') == std::string::npos) return show::Port{text, {}};
  return show::parse_port(text);
}

Result<model::SetParameter> parse_target(const std::string& target) {
  auto parsed = show::parse_target(target);
  SUBMIX_TRY(parsed);
  return model::SetParameter{std::move(parsed->first), std::move(parsed->second), {}};
}

}  // namespace submix::cli
