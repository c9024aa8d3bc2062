// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/problem.hpp"

#include <fmt/format.h>

namespace submix::show {

std::string to_string(const Problem& problem) {
  if (problem.file.empty()) return problem.text;
  if (problem.line == 0) return fmt::format("{}: {}", problem.file, problem.text);
  return fmt::format("{}:{}: {}", problem.file, problem.line, problem.text);
}

std::string to_string(const Problems& problems) {
  std::string text;
  for (const auto& problem : problems) {
    if (!text.empty()) text += '\n';
    text += to_string(problem);
  }
  return text;
}

}  // namespace submix::show
