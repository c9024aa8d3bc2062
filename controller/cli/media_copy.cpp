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
  if (copy.bytes == copy.bytes_all && !copy.is_over) return "100 %, being checked …";
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

// Several files of the same name on the node itself: a person has to choose.
const model::NodeFile* choice_of(const model::MissingFile& missing) {
  if (missing.found.empty()) return nullptr;
  const bool is_clear = missing.found.size() == 1 ||
                        missing.found[1].node != missing.found[0].node ||
                        missing.found[0].node != missing.wanted.node;
  return is_clear ? &missing.found[0] : nullptr;
}

std::string relink_text(const model::MissingFile& missing, const model::NodeFile* choice) {
  const auto begin = fmt::format("{}: {} has no {}", show::to_string(missing.slot),
                                 missing.wanted.node, missing.wanted.file);
  if (choice == nullptr && missing.found.empty())
    return begin + "; nor has any other node a file of this name\n";
  if (choice == nullptr) {
    std::vector<std::string> names;
    for (const auto& file : missing.found) {
      if (file.node == missing.wanted.node) names.push_back(file.file);
    }
    return fmt::format("{}; it has {}: submix set {}.file NAME chooses one\n", begin,
                       fmt::join(names, ", "), show::to_string(missing.slot));
  }
  const bool is_copied = choice->node != missing.wanted.node;
  return fmt::format("{}; {}{}\n", begin,
                     is_copied ? fmt::format("copied from {}: ", choice->node) : "it plays ",
                     choice->file);
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
    const auto* choice = choice_of(missing);
    context.out << relink_text(missing, choice) << std::flush;
    if (choice == nullptr) status = kFailed;
    if (choice == nullptr || options.is_dry) continue;
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
