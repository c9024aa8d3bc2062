// SPDX-License-Identifier: GPL-3.0-or-later
// submix show save, submix show keep, submix show copies: the show on this machine's disk
#include "controller/cli/show_copies.hpp"

#include "common/base/files.hpp"
#include "common/show/parse.hpp"
#include "controller/cli/commands.hpp"
#include "controller/cli/connection.hpp"
#include "controller/cli/show_writing.hpp"
#include "controller/session/show_storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
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
  if (!kept) return tl::unexpected(kept.error());
  return folder;
}

int run_show_save(Context& context, const ShowSaveOptions& options) {
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto current = read_show(connection->cluster());
  if (!current) return failed(context, current.error().message);
  const auto text = show::to_toml(current->show);
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
  context.out << fmt::format("{}: show \"{}\", revision {}{}\n", options.file, current->show.name,
                             current->revision,
                             copy->empty() ? "" : "; the one before, with its comments, is kept as " + *copy)
              << std::flush;
  return kOk;
}

int run_show_keep(Context& context, const ShowKeepOptions&) {
  auto connection = Connection::open(context);
  if (!connection) return failed(context, connection.error().message);
  const auto current = read_show(connection->cluster());
  if (!current) return failed(context, current.error().message);
  const auto folder = keep_snapshot(show::to_toml(current->show));
  if (!folder) return failed(context, folder.error().message);
  context.out << fmt::format("show \"{}\", revision {}, is kept in {}", current->show.name, current->revision,
                             folder->string())
              << std::endl;
  return kOk;
}

int run_show_copies(Context& context, const ShowKeepOptions&) {
  std::vector<Copy> copies;
  for (const auto* kind : {"snapshots", "autosave"})
    find_copies(state_home() / kind, copies);
  std::ranges::stable_sort(copies, std::greater<>(), &Copy::written);
  for (const auto& copy : copies)
    context.out << copy.path.string() << '\n';
  if (copies.empty())
    context.err << "submix: no copies in " << state_home().string() << "; keep one: submix show keep\n";
  context.out << std::flush;
  return kOk;
}

}  // namespace submix::cli
