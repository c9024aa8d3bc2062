// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace submix {

/// Reads a whole file as text. Fails if the file is larger than `bytes_max` (default 1 MiB), and
/// for a pipe, which could be waited for without end.
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path,
                                                 std::size_t bytes_max = std::size_t{1} << 20);

/// The same for a file that a person names, up to 1 MiB. Waits for a pipe, such as `<(command)` in
/// a shell.
[[nodiscard]] Result<std::string> read_text_or_pipe(const std::filesystem::path& path);

/// Writes a file completely or not at all: writes a temporary neighbour first, then renames it.
/// A pipe or a device is not replaced.
/// `mode` holds the permission bits, set before the first byte is written. A stop request before
/// the last byte is on the disk cancels the write: the call fails and `path` is unchanged.
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path,
                                                 std::string_view text, unsigned mode = 0644,
                                                 const std::stop_token& stop = {});

/// The folder for data that may be lost, by the XDG base directory rules: $XDG_STATE_HOME/submix,
/// or ~/.local/state/submix. Without a home: a private folder of this user. The folder may not
/// exist yet.
[[nodiscard]] std::filesystem::path state_home();

/// The folder for settings, by the same rules: $XDG_CONFIG_HOME/submix, or ~/.config/submix.
/// Without a home: as state_home().
[[nodiscard]] std::filesystem::path config_home();

}  // namespace submix
