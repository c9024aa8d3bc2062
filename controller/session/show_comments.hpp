// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// The comments of a show file, which the show itself does not have. Pure.
namespace submix::session {

/// The comments, and empty lines, that a TOML text begins with: a view into it.
[[nodiscard]] std::string_view leading_comments(std::string_view toml);

/// Whether there are comments in a TOML text; "#" in a string is none.
[[nodiscard]] bool has_comments(std::string_view toml);

}  // namespace submix::session
