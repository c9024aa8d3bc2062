// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/commands.hpp"

#include "common/media/downscaler.hpp"

#include <utility>

namespace submix::agent {
namespace {

cluster::PluginSummary summary_of(const plugin::Description& description) {
  cluster::PluginSummary summary{description.id,
                                 std::string(plugin::to_string(description.kind)),
                                 description.explanation,
                                 description.author,
                                 {}};
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
  return summaries;
}

Result<cluster::Reply> snapshot(const cluster::Command& command, const Submixes& submixes) {
  auto frame = submixes.latest_frame(command.submix, command.slot);
  if (!frame) return tl::unexpected(frame.error());
  if (!*frame) return fail("{}: no frame has been made yet", command.submix);
  const int width_max = command.width_max > 0 ? command.width_max : frame->size().width;
  media::Rgb24Image image;
  media::Downscaler().shrink(*frame, width_max, image);
  return cluster::Snapshot{image.size, frame->stamp().index.value,
                           std::string(image.pixels.begin(), image.pixels.end())};
}

}  // namespace

Result<cluster::Reply> answer(const cluster::Command& command, const Submixes& submixes,
                              const plugin::Catalog& catalog) {
  switch (command.kind) {
    case cluster::CommandKind::snapshot:
      return snapshot(command, submixes);
    case cluster::CommandKind::plugins:
      return plugins(catalog);
  }
  return fail("this node ({}) does not know the command; update it", "submix-node");
}

}  // namespace submix::agent
