// SPDX-License-Identifier: GPL-3.0-or-later
// submix plugins
#include "common/base/plain_text.hpp"
#include "common/cluster/codec.hpp"
#include "common/show/nearest.hpp"
#include "common/show/text.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string_view>
#include <thread>

namespace submix::cli {
namespace {

constexpr std::chrono::seconds kFirstNodePatience{2};
constexpr std::chrono::seconds kAnswerPatience{15};  // a hanging library costs the node ten, once
constexpr std::chrono::milliseconds kNodeLook{20};

// The first node heard live. A stored report does not count: its node may have ended long ago.
Result<std::string> any_node(Observer& observer) {
  const auto deadline = std::chrono::steady_clock::now() + kFirstNodePatience;
  while (std::chrono::steady_clock::now() < deadline) {
    for (const auto& node : observer.view().nodes) {
      if (node.health == model::Health::healthy) return node.name;
    }
    std::this_thread::sleep_for(kNodeLook);
  }
  return fail("no node is here to be asked; start one with: submix-node --name NAME");
}

std::string limits_of(const cluster::ParameterSummary& parameter) {
  if (!parameter.choices.empty()) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  if (!std::holds_alternative<double>(parameter.initial)) return "";
  return fmt::format("{} to {}", parameter.minimum, parameter.maximum);
}

// Filters and mixers only. Unknown memory is tried out when a show asks for helpers.
std::string_view helpers_of(const cluster::PluginSummary& plugin) {
  if (plugin.kind == "source" || plugin.kind == "output") return "-";
  if (plugin.memory == "none") return "yes";
  return plugin.memory == "frames" ? "no" : "?";
}

std::string list_text(const std::vector<cluster::PluginSummary>& plugins) {
  Table table({"PLUGIN", "KIND", "HELPERS", "WHAT IT DOES"});
  for (const auto& plugin : plugins) {
    const bool is_refused = !plugin.refused_because.empty();
    table.add({plugin.id, is_refused ? "refused" : plugin.kind,
               is_refused ? "-" : std::string(helpers_of(plugin)),
               is_refused ? plugin.refused_because : plugin.explanation});
  }
  return table.text();
}

std::string helpers_text(const cluster::PluginSummary& plugin) {
  const auto helpers = helpers_of(plugin);
  if (helpers == "yes") return "may have helpers: it keeps nothing of former frames\n";
  if (helpers == "no") return "may not have helpers: it keeps something of former frames\n";
  return helpers == "?" ? "whether it may have helpers is tried when a show gives it some\n" : "";
}

std::string plugin_text(const cluster::PluginSummary& plugin) {
  if (!plugin.refused_because.empty())
    return fmt::format("{}: refused\n{}\n", plugin.id, plugin.refused_because);
  const auto by = plugin.author.empty() ? "" : fmt::format(", by {}", plugin.author);
  auto text = fmt::format("{}: {}{}\n{}\n{}", plugin.id, plugin.kind, by,
                          one_line(plugin.explanation), helpers_text(plugin));
  Table table({"PARAMETER", "TYPE", "INITIAL", "LIMITS", "WHAT IT DOES"});
  for (const auto& parameter : plugin.parameters) {
    table.add({parameter.name, parameter.type, show::to_string(parameter.initial),
               limits_of(parameter), parameter.explanation});
  }
  return text + (table.is_empty() ? "no parameters\n" : "\n" + table.text());
}

int print(Context& context, const std::vector<cluster::PluginSummary>& plugins,
          const std::string& id) {
  if (id.empty()) {
    context.out << (context.is_json ? cluster::encode(plugins) + "\n" : list_text(plugins))
                << std::flush;
    return kOk;
  }
  const auto plugin =
      std::find_if(plugins.begin(), plugins.end(), [&](const auto& item) { return item.id == id; });
  if (plugin == plugins.end()) {
    std::vector<std::string> ids;
    for (const auto& item : plugins)
      ids.push_back(item.id);
    return failed(context,
                  fmt::format("plugin \"{}\" is not there{}; \"submix plugins\" lists them", id,
                              show::did_you_mean(id, ids)));
  }
  context.out << (context.is_json ? cluster::encode(std::vector{*plugin}) + "\n"
                                  : plugin_text(*plugin))
              << std::flush;
  return kOk;
}

}  // namespace

int run_plugins(Context& context, const PluginsOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  const auto node = options.node.empty() ? any_node(**observer) : Result<std::string>(options.node);
  if (!node) return failed(context, node.error().message);
  const auto plugins = (*observer)->cluster().request_plugins(*node, kAnswerPatience);
  if (!plugins) return failed(context, plugins.error().message);
  return print(context, *plugins, options.id);
}

}  // namespace submix::cli
