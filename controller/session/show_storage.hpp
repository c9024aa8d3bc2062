// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/actions.hpp"

#include <string>

/// Shows and exports on the controller's own disk.
///
/// Threads  Pure except for the disk; each call may take as long as the disk does.
namespace submix::session {

/// Writes a show. Refused if the file's content is not as expected.
///
/// The folder is created for files that the controller keeps itself, and must exist for a person's
/// save. A file whose comments the new text lacks is copied first, to the first free "NAME.bak";
/// returns the path of the copy, or an empty text. A snapshot equal to the newest one is not
/// written again. The last kSnapshotsMax snapshots of a show are kept.
[[nodiscard]] Result<std::string> write_show(const WriteFile& request);

inline constexpr std::size_t kSnapshotsMax = 100;

/// Writes a trace or a ledger. Refused if a file of this name exists.
[[nodiscard]] Result<void> write_new_text(const WriteText& request);

/// The folders and shows (*.toml) in a folder, without hidden ones. At most kEntriesMax; the result
/// says if the folder has more.
[[nodiscard]] model::FolderView list_folder(const std::string& path);
inline constexpr std::size_t kEntriesMax = 2000;

/// A show's name as a file name, different for each name: "sunday%20night".
[[nodiscard]] std::string file_name_of(const std::string& show_name);

}  // namespace submix::session
