// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace submix {

/// Identifies one state of a file. Writing, renaming or a change of permissions changes the state.
struct FileState {
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< since 1970, by the file system's clock

  friend bool operator==(const FileState&, const FileState&) = default;
};

/// The state of the file at a path. Empty: the file is missing or not accessible. Waits for the
/// disk.
[[nodiscard]] std::optional<FileState> state_of(const std::filesystem::path& file);
/// The state of an open file.
[[nodiscard]] std::optional<FileState> state_of(int descriptor);

}  // namespace submix
