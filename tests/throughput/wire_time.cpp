// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/wire_time.hpp"

#include <algorithm>
#include <vector>

namespace submix::throughput {

// Takes the link with the shortest delay first. Each further link helps if its delay is shorter
// than the time of those before it together.
double least_seconds(std::span<const Way> ways, double bytes) {
  std::vector<Way> shortest_first(ways.begin(), ways.end());
  std::sort(shortest_first.begin(), shortest_first.end(),
            [](const Way& a, const Way& b) { return a.delay_s < b.delay_s; });
  double rate = 0;
  double filled = bytes;
  for (const auto& way : shortest_first) {
    if (rate > 0 && way.delay_s >= filled / rate) break;
    rate += way.bytes_per_second;
    filled += way.bytes_per_second * way.delay_s;
  }
  return rate > 0 ? filled / rate : 0;
}

}  // namespace submix::throughput
