// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/problem_limits.hpp"

#include <fmt/format.h>

#include <string>

namespace submix::show {

bool is_full(const Problems& problems) {
  return problems.size() >= kProblemsMax;
}

void shorten(Problems& problems, std::size_t left_out) {
  if (problems.size() > kProblemsMax) {
    left_out += problems.size() - kProblemsMax;
    problems.resize(kProblemsMax);
  }
  if (left_out == 0) return;
  problems.push_back(
      {.text = fmt::format("and {} more problem{}, at least; mend the first {} and look again",
                           left_out, left_out == 1 ? "" : "s", kProblemsMax),
       .file = problems.empty() ? std::string() : problems.back().file});
}

}  // namespace submix::show
