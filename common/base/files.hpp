// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

namespace submix {

/// The whole file as text; fails over `bytes_max` (1 MiB unless told).
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path,
                                                 std::size_t bytes_max = std::size_t{1} << 20);

/// Writes a file whole or not at all: into a neighbour first, which then takes its place.
/// `mode` are the permission bits, set before the first byte is written. A stop that is asked for before its
/// last byte is on the disk gives it up: that fails, and `path` is what it was.
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path,
                                                 std::string_view text, unsigned mode = 0644,
                                                 const std::stop_token& stop = {});

/// Where a program keeps what it may lose, by the XDG base directory rules: $XDG_STATE_HOME/submix, or
/// ~/.local/state/submix; without a home a folder that is this user's own. It may not be there yet.
[[nodiscard]] std::filesystem::path state_home();

}  // namespace submix
