// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/problem.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

/// Limits of a show's text, whatever it says. The limits of the show itself are in validate.hpp.
namespace submix::show {

/// The control plane carries a show in one message of at most 1 MiB. The largest example has 11
/// KiB.
inline constexpr std::size_t kShowBytesMax = std::size_t{1} << 20;
/// Brackets around a place plus dots in its key. A show needs 4. The TOML library recurses for each
/// level, and 60,000 levels overflow its stack.
inline constexpr std::size_t kLevelsMax = 32;
/// Keys and tables. The TOML library compares some of them with all earlier ones: twice as many
/// take seconds.
inline constexpr std::size_t kEntriesMax = 65'536;

/// Any other text than a show is passed on as this mark, the reason, and a line end. No TOML text
/// begins with the mark.
inline constexpr std::string_view kNoShowMark = "! ";

/// Why `text` must not be given to the TOML library. Empty: it may be parsed.
///
/// Threads  Pure.
/// Cost     One pass over the text, without recursion.
[[nodiscard]] std::optional<Problem> limit_fault(std::string_view text);

}  // namespace submix::show
