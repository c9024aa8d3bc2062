// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix::ui {

/// How a person at a terminal on this machine starts another program of Submix: its name where PATH has it,
/// else the file next to this program.
[[nodiscard]] std::string command_of(const std::string& program);

}  // namespace submix::ui
