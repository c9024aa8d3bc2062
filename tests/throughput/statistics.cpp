// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace submix::throughput {
namespace {

double of_sorted(const std::vector<double>& values, double percent) {
  if (values.empty()) return 0;
  const auto rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return values[std::min(index, values.size() - 1)];
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

double percentile(std::vector<double> values, double percent) {
  std::sort(values.begin(), values.end());
  return of_sorted(values, percent);
}

Distribution distribution(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {of_sorted(values, 50), of_sorted(values, 90), of_sorted(values, 99),
          of_sorted(values, 100), values.size()};
}

}  // namespace submix::throughput
