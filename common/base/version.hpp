// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace submix {

/// The software's version, "0.1.0"; the same in all programs of one build.
[[nodiscard]] std::string_view version();

}  // namespace submix
