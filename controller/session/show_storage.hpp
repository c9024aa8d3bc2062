// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/actions.hpp"

#include <string>

/// Shows, and what is exported, on the controller's own disk.
///
/// Threads  Pure but for the disk; each call may take as long as that does.
namespace submix::session {

/// Refused where the file is not as expected; its folder is made for what the controller keeps by itself, and
/// has to be there for what a person saves. A file with comments that the new text lacks is copied first, to
/// the first free "NAME.bak": gives that copy; empty: none was made. A snapshot that says what the newest one
/// says is not written again; the last kSnapshotsMax of a show are kept.
[[nodiscard]] Result<std::string> write_show(const WriteFile& request);

inline constexpr std::size_t kSnapshotsMax = 100;

/// A trace or a ledger; refused where a file of that name is there already.
[[nodiscard]] Result<void> write_new_text(const WriteText& request);

/// Folders and shows (*.toml); nothing hidden. At most kEntriesMax: a folder with more is said to have more.
[[nodiscard]] model::FolderView list_folder(const std::string& path);
inline constexpr std::size_t kEntriesMax = 2000;

/// A show's name as the name of a file, another one for each: "sunday%20night".
[[nodiscard]] std::string file_name_of(const std::string& show_name);

}  // namespace submix::session
