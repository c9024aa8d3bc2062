// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <filesystem>
#include <string>

namespace submix::cli {

/// Keeps a copy of a show, as the window does with a replaced show, unless the newest copy of that
/// name is equal. Unreadable shows are kept, too. Returns the folder.
[[nodiscard]] Result<std::filesystem::path> keep_snapshot(const std::string& toml);

}  // namespace submix::cli
