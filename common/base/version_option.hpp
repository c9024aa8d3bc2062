// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace submix {

/// True if the only argument is "--version" or "-V": then `program` and its version are printed.
[[nodiscard]] bool has_told_version(std::string_view program, int argc, char** argv);

}  // namespace submix
