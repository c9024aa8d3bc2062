// SPDX-License-Identifier: GPL-3.0-or-later
// submix media copy|relink
#include "common/base/stop_signal.hpp"
#include "common/show/text.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/model/edit/relinking.hpp"
#include "controller/session/media_copying.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace submix::cli {
namespace {

// "rack1:rain.mp4", unless a file of this computer has this name.
session::MediaOrigin origin_of(const std::string& from) {
  const auto colon = from.find(':');
  std::error_code error;
  if (colon == std::string::npos || std::filesystem::exists(from, error)) return {{}, from};
  return {from.substr(0, colon), from.substr(colon + 1)};
}

std::string progress_text(const cluster::MediaCopy& copy, std::uint64_t bytes_copied,
                          std::chrono::steady_clock::time_point begun) {
  if (copy.bytes_all == 0) return "waiting …";
  const double share = static_cast<double>(copy.bytes) / static_cast<double>(copy.bytes_all);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begun;
  return fmt::format("{:.0f} % of {:.1f} MB, {:.1f} MB/s", share * 100,
                     static_cast<double>(copy.bytes_all) / 1e6,
                     static_cast<double>(bytes_copied) / 1e6 / std::max(time.count(), 0.001));
}

model::MediaLists lists_of(cluster::Cluster& cluster, const show::Show& show) {
  model::MediaLists lists;
  for (const auto& node : show.nodes) {
    auto media = cluster.request_media(node.name);
    if (media) {
      lists[node.name].list = *std::move(media);
    } else {
      lists[node.name].error = media.error().message;
    }
  }
  return lists;
}

// Empty: nothing is found, or several files that differ; a person has to choose. The node's own files
// come first.
std::optional<model::NodeFile> choice_of(const model::MissingFile& missing) {
  const auto& found = missing.found;
  if (found.empty()) return std::nullopt;
  const bool is_own = found[0].node == missing.wanted.node;
  const bool is_clear = std::ranges::all_of(found, [&](const model::NodeFile& other) {
    return other == found[0] ||
           (is_own ? other.node != found[0].node : other.bytes == found[0].bytes);
  });
  return is_clear ? std::optional(found[0]) : std::nullopt;
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

// A list leaves out links, and endings that it does not know. The node plays them all the same.
bool is_really_missing(cluster::Cluster& cluster, const model::NodeFile& wanted) {
  return !cluster.request_media_picture(wanted.node, wanted.file, 0);
}

}  // namespace

int run_media_copy(Context& context, const MediaCopyOptions& options) {
  const auto origin = origin_of(options.from);
  const auto name = options.name.empty() ? session::name_of_copy(origin) : options.name;
  StopSignal stop;  // before the connection's threads
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto begun = std::chrono::steady_clock::now();
  std::uint64_t had = 0;
  std::string shown;
  const auto go_on = [&](const cluster::MediaCopy& copy) {
    if (had == 0) had = copy.bytes;
    const auto line = progress_text(copy, copy.bytes - had, begun);
    if (context.is_terminal && line != shown) context.err << "\r" << line << "   " << std::flush;
    shown = line;
    return !stop.wait_for(std::chrono::seconds(0));
  };
  const auto copied = session::copy_media(connection->cluster(), origin, options.node, name, go_on);
  if (context.is_terminal && !shown.empty()) context.err << std::endl;
  if (!copied) return failed(context, copied.error().message);
  context.out << fmt::format("{} has {}\n", options.node, name) << std::flush;
  return kOk;
}

int run_media_relink(Context& context, const RelinkOptions& options) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto current = read_show(cluster);
  if (!current) return failed(context, current.error().message);
  const auto lists = lists_of(cluster, current->show);
  for (const auto& [node, media] : lists) {
    if (!media.error.empty()) warn(context, media.error);
  }

  int status = kOk;
  model::EditGroup edits{"Relink files", {}};
  for (const auto& missing : model::find_missing_files(current->show, lists)) {
    if (!is_really_missing(cluster, missing.wanted)) continue;
    const auto choice = choice_of(missing);
    context.out << relink_text(missing, choice) << std::flush;
    if (!choice) status = kFailed;
    if (!choice || options.is_dry) continue;
    if (choice->node != missing.wanted.node) {
      const auto copied =
          session::copy_media(cluster, {choice->node, choice->file}, missing.wanted.node,
                              choice->file, [](const auto&) { return true; });
      if (!copied) return failed(context, copied.error().message);
    }
    if (choice->file != missing.wanted.file)
      edits.edits.emplace_back(model::SetParameter{missing.slot, "file", choice->file});
  }
  if (edits.edits.empty()) return status;
  const int written = run_edit(
      context, cluster, {.make = always(model::Edit(std::move(edits))), .command = "submix media"});
  return written == kOk ? status : written;
}

}  // namespace submix::cli
