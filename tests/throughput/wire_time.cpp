// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/wire_time.hpp"

#include <algorithm>
#include <vector>

namespace submix::throughput {

// Takes the link with the shortest delay first. Each further link helps if its delay is shorter
// than the time of those before it together.
double least_seconds(std::span<const LinkCapacity> links, double bytes) {
  std::vector<LinkCapacity> shortest_first(links.begin(), links.end());
  std::sort(shortest_first.begin(), shortest_first.end(),
            [](const LinkCapacity& a, const LinkCapacity& b) { return a.delay_s < b.delay_s; });
  double rate = 0;
  double filled = bytes;
  for (const auto& link : shortest_first) {
    if (rate > 0 && link.delay_s >= filled / rate) break;
    rate += link.bytes_per_second;
    filled += link.bytes_per_second * link.delay_s;
  }
  return rate > 0 ? filled / rate : 0;
}

}  // namespace submix::throughput
