// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Many samples in few columns of pixels, so that no peak is lost. Pure.
namespace submix::ui {

/// What a column of pixels has of the samples that fall into it.
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

/// Ticks, which may begin and end between two; `end` is not shown any more.
struct TickRange {
  double begin = 0;
  double end = 0;
};

/// A column for each of `count`; a sample that is NaN counts for nothing.
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
