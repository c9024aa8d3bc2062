// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <filesystem>
#include <vector>

namespace submix::io {

/// Copies the packets of `parts`, in order, into one new Matroska file at `path`, starting with the first key
/// picture at or after `from_seconds` of the parts' common time. Parts that cannot be read are left out.
///
/// Cost     Reads and writes all bytes; nothing is decoded.
/// Errors   None of the parts can be read, or the file cannot be written; it is then removed again.
[[nodiscard]] Result<void> join_parts(const std::vector<std::filesystem::path>& parts, double from_seconds,
                                      const std::filesystem::path& path);

}  // namespace submix::io
