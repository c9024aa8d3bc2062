// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Figures of many figures. Pure functions.
namespace submix::throughput {

/// The middle one, or the mean of the two in the middle; 0 of none.
[[nodiscard]] double median(std::vector<double> values);

/// The smallest value that at least `percent` of all do not exceed ("nearest rank"); 0 of none.
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
