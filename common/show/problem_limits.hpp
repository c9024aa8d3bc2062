// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/problem.hpp"

#include <cstddef>

namespace submix::show {

/// More problems than a person corrects at once. The limit also keeps the check of a file full of
/// errors fast.
inline constexpr std::size_t kProblemsMax = 100;
/// Limit of one message. Names from a hostile file can be as long as the file.
inline constexpr std::size_t kProblemBytesMax = 1000;

/// Whether the list is full, and a search for problems can stop.
[[nodiscard]] bool is_full(const Problems& problems);
/// Keeps the first kProblemsMax problems and adds a line with the number of the others. `left_out`:
/// problems found but not in the list.
void shorten(Problems& problems, std::size_t left_out = 0);

}  // namespace submix::show
