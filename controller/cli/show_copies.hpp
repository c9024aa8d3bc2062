// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <filesystem>
#include <string>

namespace submix::cli {

/// Keeps a show as the window keeps one that gives way, unless the newest of that name says the same; also
/// one that cannot be read. Gives the folder.
[[nodiscard]] Result<std::filesystem::path> keep_snapshot(const std::string& toml);

}  // namespace submix::cli
