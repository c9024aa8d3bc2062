// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace submix::input {

/// What came from outside, fit for a terminal and a window: line ends, control characters and what is no
/// UTF-8 are written as "\x1b". At most `bytes_max`, and then "…"; no letter is cut in two.
[[nodiscard]] std::string plain_text(std::string_view text, std::size_t bytes_max);

}  // namespace submix::input
