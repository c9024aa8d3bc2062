// SPDX-License-Identifier: GPL-3.0-or-later
// submix outputs
#include "controller/cli/outputs_text.hpp"

#include "common/show/nearest.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

// A node that has gone keeps its report, but nothing can be shown there.
bool is_here(const model::NodeView& node) {
  return node.health != model::Health::gone && node.health != model::Health::absent;
}

Result<DisplaysAndOutputs> of_node(DisplaysAndOutputs all, const std::string& name) {
  const auto is_known =
      std::ranges::any_of(all.nodes, [&](const auto& node) { return node.name == name; });
  if (!is_known) {
    std::vector<std::string> names;
    for (const auto& node : all.nodes)
      names.push_back(node.name);
    return fail("no node \"{}\" is here{}", name, show::did_you_mean(name, names));
  }
  std::erase_if(all.nodes, [&](const auto& node) { return node.name != name; });
  std::erase_if(all.outputs, [&](const auto& output) { return output.node != name; });
  return all;
}

}  // namespace

int run_outputs(Context& context, const OutputsOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  const auto view = (*observer)->measured_view();
  Result<DisplaysAndOutputs> all = DisplaysAndOutputs{view.nodes, model::outputs_of(view)};
  std::erase_if(all->nodes, [](const auto& node) { return !is_here(node); });
  if (!options.node.empty()) all = of_node(*std::move(all), options.node);
  if (!all) return failed(context, all.error().message);
  context.out << (context.is_json ? outputs_json(*all) : outputs_text(*all)) << std::flush;
  return kOk;
}

}  // namespace submix::cli
