// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/commands.hpp"

#include <utility>

namespace submix::agent {
namespace {

cluster::PluginSummary summary_of(const plugin::Description& description) {
  cluster::PluginSummary summary{description.id,
                                 std::string(plugin::to_string(description.kind)),
                                 description.explanation,
                                 description.author,
                                 {},
                                 {},
                                 std::string(plugin::to_string(description.memory))};
  for (const auto& parameter : description.parameters) {
    summary.parameters.push_back({parameter.name, std::string(plugin::to_string(parameter.type)),
                                  parameter.explanation, parameter.initial, parameter.minimum,
                                  parameter.maximum, parameter.choices});
  }
  return summary;
}

Result<cluster::Reply> plugins(const plugin::Catalog& catalog) {
  std::vector<cluster::PluginSummary> summaries;
  for (const auto& description : catalog.list())
    summaries.push_back(summary_of(description));
  for (const auto& [id, reason] : catalog.refusals())
    summaries.push_back({.id = id, .refused_because = reason});
  return summaries;
}

Result<cluster::Reply> snapshot(const cluster::Command& command, const Submixes& submixes) {
  const auto picture = submixes.picture(command.submix, command.slot, command.width_max);
  if (!picture) return tl::unexpected(picture.error());
  if (!*picture) return fail("{}: no frame has been made yet", command.submix);
  const auto& [image, stamp] = **picture;
  return cluster::Snapshot{image.size, stamp.index.value,
                           std::string(image.pixels.begin(), image.pixels.end())};
}

}  // namespace

Result<cluster::Reply> answer(const cluster::Command& command, const Submixes& submixes,
                              const plugin::Catalog& catalog, TraceShelf& traces) {
  switch (command.kind) {
    case cluster::CommandKind::snapshot:
      return snapshot(command, submixes);
    case cluster::CommandKind::plugins:
      return plugins(catalog);
    case cluster::CommandKind::trace:
      return traces.part(command).map(
          [](cluster::TracePart part) { return cluster::Reply(std::move(part)); });
  }
  return fail("this node ({}) does not know the command; update it", "submix-node");
}

}  // namespace submix::agent
