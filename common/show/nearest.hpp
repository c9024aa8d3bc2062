// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace submix::show {

/// The candidate that `word` was most likely meant to be; empty when none is near (at most a third of the
/// letters differ, of those behind the last "/"; swapped neighbours and upper case count as one slip or
/// none).
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string> candidates);

/// ` (did you mean "glow"?)`, or nothing: to append to an error message.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);

}  // namespace submix::show
