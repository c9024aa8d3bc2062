// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/rate_timeline.hpp"

#include <algorithm>
#include <cstddef>

namespace submix::throughput {

double RateTimeline::wire_seconds(double at_s, double bytes) const {
  double time = at_s;
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const bool is_last = i + 1 == changes_.size();
    if (!is_last && changes_[i + 1].begin_s <= time) continue;
    const double needed = bytes / changes_[i].bytes_per_second;
    if (is_last || time + needed <= changes_[i + 1].begin_s) return time + needed - at_s;
    bytes -= (changes_[i + 1].begin_s - time) * changes_[i].bytes_per_second;
    time = changes_[i + 1].begin_s;
  }
  return time - at_s;
}

}  // namespace submix::throughput
