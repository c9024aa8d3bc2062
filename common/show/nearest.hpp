// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace submix::show {

/// The candidate that `word` most likely means. Empty: no candidate is near.
///
/// At most a third of the letters may differ; only letters after the last "/" count. Two swapped
/// neighbours count as one difference; upper case counts as none.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string> candidates);

/// ` (did you mean "glow"?)`, or an empty text, to append to an error message.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string> candidates);

}  // namespace submix::show
