// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace submix::show {
namespace {

bool is_same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

// Optimal string alignment: insert, delete, replace, or swap two neighbours.
std::size_t slips_between(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j)
    cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced =
          cost[i - 1][j - 1] + (is_same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && is_same_letter(a[i - 1], b[j - 2]) &&
          is_same_letter(a[i - 2], b[j - 1])) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr std::size_t kLongestWord = 128;  // the work grows with the square of the length
  if (word.size() > kLongestWord) return {};
  std::string_view best;
  // Of "frei0r/glow" only "glow" counts, not the common prefix.
  const auto folder = word.rfind('/') + 1;
  std::size_t fewest = std::max<std::size_t>((word.size() - folder) / 3, 1) + 1;
  for (const auto& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const auto slips = slips_between(word, candidate);
    if (slips < fewest) {
      fewest = slips;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const auto candidate = nearest(word, candidates);
  return candidate.empty() ? std::string() : fmt::format(" (did you mean \"{}\"?)", candidate);
}

}  // namespace submix::show
