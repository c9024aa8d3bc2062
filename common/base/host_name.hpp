// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace submix {

/// This PC's name; "?" if the system does not tell it.
[[nodiscard]] std::string host_name();

}  // namespace submix
