// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace submix::local {

/// The last line of a program's log, which says why the program has ended. Empty: there is none.
[[nodiscard]] std::string last_line(const std::filesystem::path& log_file);

}  // namespace submix::local
