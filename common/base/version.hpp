// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace submix {

/// The software's version, "0.1.0". All programs of one build have the same version.
[[nodiscard]] std::string_view version();

}  // namespace submix
