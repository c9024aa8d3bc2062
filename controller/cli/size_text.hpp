// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"

#include <charconv>
#include <string>

namespace submix::cli {

/// Parses "1280x720". validate() checks whether a show can have the size.
[[nodiscard]] inline Result<Size> parse_size(const std::string& text) {
  Size size;
  const auto* const last = text.data() + text.size();
  const auto width = std::from_chars(text.data(), last, size.width);
  if (width.ec == std::errc() && width.ptr != last && *width.ptr == 'x') {
    const auto height = std::from_chars(width.ptr + 1, last, size.height);
    if (height.ec == std::errc() && height.ptr == last) return size;
  }
  return fail("\"{}\" is not a size; write WIDTHxHEIGHT, as 1280x720", text);
}

}  // namespace submix::cli
