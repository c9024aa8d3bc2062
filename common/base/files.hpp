// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace submix {

/// The whole file as text; fails over `bytes_max` (1 MiB unless told).
[[nodiscard]] Result<std::string> read_text_file(const std::filesystem::path& path,
                                                 std::size_t bytes_max = std::size_t{1} << 20);

/// Writes a file whole or not at all: into a neighbour first, which then takes its place.
/// `mode` are the permission bits, set before the first byte is written.
[[nodiscard]] Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view text,
                                                 unsigned mode = 0644);

}  // namespace submix
