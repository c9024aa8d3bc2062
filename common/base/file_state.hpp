// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace submix {

/// By which a file is known to be the same still: what is written, renamed or permitted changes it.
struct FileState {
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< since 1970, as the file system counts

  friend bool operator==(const FileState&, const FileState&) = default;
};

/// Empty: it is not there, or not to be seen. Waits for the disk.
[[nodiscard]] std::optional<FileState> state_of(const std::filesystem::path& file);
/// Of an open file.
[[nodiscard]] std::optional<FileState> state_of(int descriptor);

}  // namespace submix
