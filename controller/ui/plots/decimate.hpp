// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Reduces many samples to few pixel columns without losing a peak. Pure.
namespace submix::ui {

/// The samples that fall into one column of pixels.
struct Column {
  float first = 0;
  float last = 0;
  float least = 0;
  float greatest = 0;
  bool has_any = false;

  void add(float value) {
    if (!has_any) *this = {value, value, value, value, true};
    last = value;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

/// A range of ticks, `end` excluded. Both ends may lie between two ticks.
struct TickRange {
  double begin = 0;
  double end = 0;
};

/// Reduces the range to `count` columns. NaN samples are skipped.
///
/// Cost     One call of `sample(tick)` for each tick of the range.
template <typename Sample>
[[nodiscard]] std::vector<Column> decimated(const Sample& sample, TickRange range,
                                            std::size_t count) {
  std::vector<Column> columns(count);
  const double length = range.end - range.begin;
  if (count == 0 || !(length > 0)) return columns;
  const auto first = static_cast<std::int64_t>(std::ceil(range.begin));
  const auto end = static_cast<std::int64_t>(std::ceil(range.end));
  for (auto tick = first; tick < end; ++tick) {
    const float value = sample(tick);
    if (std::isnan(value)) continue;
    const double share = (static_cast<double>(tick) - range.begin) / length;
    const auto column = static_cast<std::size_t>(std::max(0.0, share * static_cast<double>(count)));
    columns[std::min(column, count - 1)].add(value);
  }
  return columns;
}

}  // namespace submix::ui
