// SPDX-License-Identifier: GPL-3.0-or-later
// submix media relink
#include "common/show/clip_bank.hpp"
#include "common/show/text.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/relinking.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/session/media_copying.hpp"
#include "controller/session/missing_media.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

session::MissingMedia find_missing(cluster::Cluster& cluster, const show::Show& show) {
  std::vector<std::string> nodes;
  for (const auto& node : show.nodes)
    nodes.push_back(node.name);
  const session::MediaQuestions questions{
      [&](const std::string& node) { return cluster.request_media(node); },
      [&](const model::NodeFile& file) {
        return cluster.request_media_picture(file.node, file.file, 0).has_value();
      }};
  return session::find_missing_media(questions, show, nodes);
}

std::string relink_text(const model::MissingFile& missing,
                        const std::optional<model::NodeFile>& choice) {
  auto words = fmt::format("{}: {} has no {}; ", show::to_string(missing.slot), missing.wanted.node,
                           missing.wanted.file);
  if (missing.found.empty()) return words + "nor has any other node a file of this name\n";
  if (choice && choice->node == missing.wanted.node)
    return words + fmt::format("{} is to play\n", choice->file);
  if (choice) return words + fmt::format("{} of {} is to be copied\n", choice->file, choice->node);
  std::vector<std::string> names;
  for (const auto& file : missing.found)
    names.push_back(fmt::format("{}:{}", file.node, file.file));
  return words + fmt::format("choose between {}, by submix media copy and submix set {}.file\n",
                             fmt::join(names, ", "), show::to_string(missing.slot));
}

Result<void> copy_if_elsewhere(cluster::Cluster& cluster, const model::NodeFile& choice,
                               const std::string& node) {
  if (choice.node == node) return {};
  return session::copy_media(cluster, {choice.node, choice.file}, node, choice.file,
                             [](const auto&) { return true; });
}

}  // namespace

Result<RelinkPlan> relink(Context& context, cluster::Cluster& cluster, const show::Show& show,
                          bool is_dry) {
  const auto missing = find_missing(cluster, show);
  for (const auto& fault : missing.faults)
    warn(context, fault);
  RelinkPlan plan;
  for (const auto& file : missing.files) {
    const auto choice = model::clear_choice(file);
    context.out << relink_text(file, choice) << std::flush;
    plan.is_complete = plan.is_complete && choice;
    if (!choice || is_dry) continue;
    SUBMIX_TRY(copy_if_elsewhere(cluster, *choice, file.wanted.node));
    if (choice->file != file.wanted.file)
      plan.links.push_back({file.slot, choice->file, file.clip});
  }
  return plan;
}

bool has_missing_files(cluster::Cluster& cluster, const show::Show& show) {
  return !find_missing(cluster, show).files.empty();
}

int run_media_relink(Context& context, const RelinkOptions& options) {
  auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  auto& cluster = opened->cluster();
  const auto plan = relink(context, cluster, opened->current.show, options.is_dry);
  if (!plan) return failed(context, plan.error().message);

  const int status = plan->is_complete ? kOk : kFailed;
  if (plan->links.empty()) return status;
  model::EditGroup edits{"Relink files", {}};
  const auto relinked = model::relinked(opened->current.show, plan->links);
  for (const auto& link : plan->links) {
    const std::string name(link.clip == 1 ? show::kClipFile : show::kClipBank);
    const auto& value = relinked.find_slot(link.slot)->parameters.at(name);
    edits.edits.emplace_back(model::SetParameter{link.slot, name, value});
  }
  const int written = run_edit(
      context, cluster, {.make = always(model::Edit(std::move(edits))), .command = "media relink"});
  return written == kOk ? status : written;
}

}  // namespace submix::cli
