// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/release_times.hpp"

namespace submix::throughput {

ReleaseTimes read_releases(const Ledger& receiver) {
  const auto begin = receiver.window(0).begin.load();
  const auto end = receiver.window(0).end.load();
  if (end == Window::kOpen || begin >= end) return {};
  ReleaseTimes releases{begin, (end - begin) / ReleaseTimes::kTimesMax + 1, {}};
  for (auto index = begin; index < end; index += releases.apart)
    releases.at_ns.push_back(receiver.times(0, index).released);
  return releases;
}

std::vector<double> latencies_ms(const Ledger& sender, const ReleaseTimes& releases,
                                 std::chrono::nanoseconds clock_offset) {
  constexpr double kNanosecondsPerMillisecond = 1e6;
  std::vector<double> latencies;
  auto index = releases.first;
  for (const auto released : releases.at_ns) {
    if (index >= sender.shape().frames_max) break;  // the number comes from another machine
    const auto offered = sender.times(0, index).offered;
    if (released != 0 && offered != 0)
      latencies.push_back(static_cast<double>(released - clock_offset.count() - offered) /
                          kNanosecondsPerMillisecond);
    index += releases.apart;
  }
  return latencies;
}

}  // namespace submix::throughput
