// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// The comments of a show file, which the parsed show does not contain. Pure.
namespace submix::session {

/// The comments and empty lines at the beginning of a TOML text, as a view into it.
[[nodiscard]] std::string_view leading_comments(std::string_view toml);

/// Whether a TOML text has comments. A "#" in a string is no comment.
[[nodiscard]] bool has_comments(std::string_view toml);

}  // namespace submix::session
