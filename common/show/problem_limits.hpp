// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/problem.hpp"

#include <cstddef>

namespace submix::show {

/// More than a person mends at once; so a file of nothing but errors is answered at once, too.
inline constexpr std::size_t kProblemsMax = 100;
/// Of one text: names of things are as long as the file that they stand in.
inline constexpr std::size_t kProblemBytesMax = 1000;

/// Whether whoever looks for problems stops looking.
[[nodiscard]] bool is_full(const Problems& problems);
/// Leaves the first kProblemsMax and says that there are more. `left_out`: those that are not in the list.
void shorten(Problems& problems, std::size_t left_out = 0);

}  // namespace submix::show
