// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Statistics of lists of figures. Pure functions.
namespace submix::throughput {

inline constexpr double kMega = 1e6;
inline constexpr double kGiga = 1e9;

/// The middle value, or the mean of the two middle values. 0 for an empty list.
[[nodiscard]] double median(std::vector<double> values);

/// The smallest value that at least `percent` of all values do not exceed ("nearest rank"). 0 for
/// an empty list.
[[nodiscard]] double percentile(std::vector<double> values, double percent);

struct Distribution {
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double max = 0;
  std::size_t count = 0;
};

[[nodiscard]] Distribution distribution(std::vector<double> values);

}  // namespace submix::throughput
