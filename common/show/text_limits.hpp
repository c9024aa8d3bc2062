// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/problem.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

/// What the text of a show may be, whatever it says. The limits of what it says stand in validate.hpp.
namespace submix::show {

/// The control plane carries a show in one message of at most 1 MiB. The largest example has 11 KiB.
inline constexpr std::size_t kShowBytesMax = std::size_t{1} << 20;
/// Brackets around a place and dots in its key. A show needs 4; the TOML library calls itself for each level,
/// and 60,000 levels overflow its stack.
inline constexpr std::size_t kLevelsMax = 32;
/// Keys and tables. The TOML library looks for some of them among all before: twice as many take seconds.
inline constexpr std::size_t kEntriesMax = 65'536;

/// What is no show at all is handed on with this in front, the reason, and a line end. No TOML begins so.
inline constexpr std::string_view kNoShowMark = "! ";

/// Why `text` is not given to the TOML library; empty: it may be read.
///
/// Threads  Pure. Cost: one pass over the text, no recursion.
[[nodiscard]] std::optional<Problem> limit_fault(std::string_view text);

}  // namespace submix::show
