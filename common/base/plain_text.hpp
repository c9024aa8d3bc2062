// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Makes text from other machines, plugins and files safe for terminals, logs and windows.
namespace submix {

/// Bytes of the UTF-8 character at the beginning of `text`. 0: malformed (overlong, a surrogate,
/// cut).
[[nodiscard]] std::size_t utf8_bytes(std::string_view text);

/// Whether `text` is one line of well-formed UTF-8, without control characters and without a change
/// of the writing direction.
[[nodiscard]] bool is_one_plain_line(std::string_view text);

/// `text` as one line. Each character refused by is_one_plain_line() is escaped, like "\x1b". A
/// text over `bytes_max` is cut between two characters, and "…" follows.
[[nodiscard]] std::string plain_text(std::string_view text, std::size_t bytes_max);

/// `text` as several lines. Line ends and tabs stay; other characters refused by
/// is_one_plain_line() become "�".
[[nodiscard]] std::string plain_lines(std::string_view text);

/// Replaces each line end, with the white space around it, by one space; each tab, too.
[[nodiscard]] std::string one_line(std::string_view text);

/// Indents all lines after the first by two spaces: none looks like a separate message.
[[nodiscard]] std::string indented(std::string_view text);

}  // namespace submix
