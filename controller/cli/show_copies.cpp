// SPDX-License-Identifier: GPL-3.0-or-later
// submix show save, submix show keep, submix show copies, submix show back: copies of shows
#include "controller/cli/show_copies.hpp"

#include "common/base/files.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/cluster_connection.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/session/show_storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <vector>

namespace submix::cli {
namespace {

namespace fs = std::filesystem;

struct Copy {
  fs::path path;
  fs::file_time_type written;
};

void find_copies(const fs::path& folder, std::vector<Copy>& copies) {
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(folder, failed);
       !failed && entry != fs::recursive_directory_iterator(); entry.increment(failed)) {
    std::error_code unknown;
    const auto written = entry->last_write_time(unknown);
    if (entry->path().extension() == ".toml") copies.push_back({entry->path(), written});
  }
}

}  // namespace

Result<fs::path> keep_snapshot(const std::string& toml) {
  const auto show = show::parse(toml, "the cluster's show");
  const auto name = show ? session::file_name_of(show->name) : "unreadable";
  auto folder = state_home() / "snapshots" / name;
  const auto kept = session::write_show(
      {.purpose = session::WriteFile::Purpose::snapshot, .path = folder.string(), .text = toml});
  SUBMIX_TRY(kept);
  return folder;
}

int run_show_save(Context& context, const ShowSaveOptions& options) {
  const auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  const auto text = show::to_toml(opened->current.show);
  if (options.file == "-") {
    context.out << text << std::flush;
    return kOk;
  }
  std::error_code unknown;
  if (!options.is_forced && fs::exists(options.file, unknown))
    return failed(context, options.file + ": is there already; --force replaces it");
  const auto copy =
      session::write_show({.path = options.file, .text = text, .may_replace = options.is_forced});
  if (!copy) return failed(context, copy.error().message);
  context.out << fmt::format("{}: show \"{}\", revision {}{}\n", options.file,
                             opened->current.show.name, opened->current.revision,
                             copy->empty()
                                 ? ""
                                 : "; the one before, with its comments, is kept as " + *copy)
              << std::flush;
  return kOk;
}

int run_show_keep(Context& context, const ShowKeepOptions&) {
  const auto opened = open_show(context);
  if (!opened) return failed(context, opened.error().message);
  const auto folder = keep_snapshot(show::to_toml(opened->current.show));
  if (!folder) return failed(context, folder.error().message);
  context.out << fmt::format("show \"{}\", revision {}, is kept in {}", opened->current.show.name,
                             opened->current.revision, folder->string())
              << std::endl;
  return kOk;
}

int run_show_back(Context& context, const ShowKeepOptions&) {
  auto connection = ClusterConnection::open(context);
  if (!connection) return failed(context, connection.error().message);
  auto& cluster = connection->cluster();
  const auto kept = cluster.good_show();
  if (!kept) return failed(context, kept.error().message);
  if (kept->revision == 0)
    return failed(context,
                  "no show has run on all its nodes without a fault yet; \"submix show copies\" "
                  "lists the shows that this machine has kept");
  auto show = show::parse(kept->value.toml, "the last good show");
  if (!show) return failed(context, to_string(show.error()));
  const auto good = std::make_shared<const show::Show>(*std::move(show));
  return run_edit(context, cluster,
                  {.make = always(model::ReplaceShow{good, "back to the last good show"}),
                   .command = "show back",
                   .is_at_once = true});
}

int run_show_copies(Context& context, const ShowKeepOptions&) {
  std::vector<Copy> copies;
  for (const auto* kind : {"snapshots", "autosave"})
    find_copies(state_home() / kind, copies);
  std::ranges::stable_sort(copies, std::greater<>(), &Copy::written);
  for (const auto& copy : copies)
    context.out << copy.path.string() << '\n';
  if (copies.empty())
    context.err << "submix: no copies in " << state_home().string()
                << "; keep one: submix show keep\n";
  context.out << std::flush;
  return kOk;
}

}  // namespace submix::cli
