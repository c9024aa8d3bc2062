// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix::local {

/// Whether a folder of PATH has this program.
[[nodiscard]] bool is_in_path(const std::string& program);

/// The command by which a person at a terminal starts another program of Submix: its name if PATH
/// contains it, else the path of the file beside this program.
[[nodiscard]] std::string command_of(const std::string& program);

}  // namespace submix::local
