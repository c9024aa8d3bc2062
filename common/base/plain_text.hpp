// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text from other machines, plugins and files, made fit for terminals, logs and windows.
namespace submix {

/// Bytes of the UTF-8 letter that `text` begins with; 0: it is malformed (overlong, a surrogate, cut).
[[nodiscard]] std::size_t utf8_bytes(std::string_view text);

/// Well-formed UTF-8 of one line: no control characters, and none that change the direction of writing.
[[nodiscard]] bool is_one_plain_line(std::string_view text);

/// As one line: whatever is_one_plain_line() refuses is written as "\x1b". At most `bytes_max`, and then "…";
/// no letter is cut in two.
[[nodiscard]] std::string plain_text(std::string_view text, std::size_t bytes_max);

/// As several lines: line ends and tabs stay, whatever else is_one_plain_line() refuses becomes "�".
[[nodiscard]] std::string plain_lines(std::string_view text);

/// A line end, with the white space around it, becomes one space; so does a tab.
[[nodiscard]] std::string one_line(std::string_view text);

/// Lines behind the first one begin with two spaces more: nobody takes them for messages of their own.
[[nodiscard]] std::string indented(std::string_view text);

}  // namespace submix
