// SPDX-License-Identifier: GPL-3.0-or-later
// submix media list
#include "common/cluster/codec.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/observer.hpp"
#include "controller/cli/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

using Answer = std::pair<std::string, Result<cluster::MediaList>>;

std::vector<std::string> nodes_to_ask(Observer& observer, const std::string& node) {
  if (!node.empty()) return {node};
  std::vector<std::string> names;
  for (const auto& present : observer.measured_view().nodes) {
    if (present.health == model::Health::healthy) names.push_back(present.name);
  }
  return names;
}

std::string text_of(const std::vector<Answer>& answers) {
  Table table({"NODE", "FILE", ">MB"});
  std::string rest;
  for (const auto& [node, media] : answers) {
    if (!media) continue;
    for (const auto& file : media->files)
      table.add({node, file.name, fmt::format("{:.1f}", static_cast<double>(file.bytes) / 1e6)});
    if (media->files.empty())
      rest += fmt::format("node \"{}\" has no clip and no still in its media folder\n", node);
    if (media->is_cut)
      rest += fmt::format("node \"{}\" has more; only the first {} are listed\n", node,
                          media->files.size());
  }
  return table.text() + rest;
}

std::string json_of(const std::vector<Answer>& answers) {
  auto nodes = nlohmann::json::array();
  for (const auto& [node, media] : answers) {
    auto entry = media ? nlohmann::json::parse(cluster::encode(*media))
                       : nlohmann::json{{"error", media.error().message}};
    entry["node"] = node;
    nodes.push_back(std::move(entry));
  }
  return nlohmann::json{{"nodes", std::move(nodes)}}.dump() + "\n";
}

}  // namespace

int run_media_list(Context& context, const MediaOptions& options) {
  const auto observer = Observer::start(context);
  if (!observer) return failed(context, observer.error().message);
  std::vector<Answer> answers;
  for (auto& node : nodes_to_ask(**observer, options.node)) {
    auto media = (*observer)->cluster().request_media(node);
    answers.emplace_back(std::move(node), std::move(media));
  }
  if (answers.empty())
    return failed(context, "no node is here to be asked; start one with: submix-node --name NAME");
  context.out << (context.is_json ? json_of(answers) : text_of(answers)) << std::flush;
  int status = kOk;
  for (const auto& [node, media] : answers) {
    if (!media) status = failed(context, media.error().message);
  }
  return status;
}

}  // namespace submix::cli
