// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/realtime_watch.hpp"

#include "common/base/realtime.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <utility>

namespace submix::agent {

telemetry::RealtimeReading realtime_reading(const std::vector<std::string>& threads) {
  if (threads.empty()) return {};
  const auto run_max = std::chrono::duration_cast<std::chrono::milliseconds>(realtime_run_max());
  return {
      .is_lost = true,
      .reason = fmt::format(
          "thread {} computed for {} ms without a pause: without real-time scheduling for now, so "
          "that this machine stays usable; its frames may come late. It is raised again after {} s "
          "or more; make the work of that slot smaller",
          fmt::join(threads, ", "), run_max.count(), kLoweredPause.count())};
}

telemetry::RealtimeReading RealtimeWatch::read(const std::vector<std::string>& hosted) {
  auto threads = tend_lowered_threads(std::chrono::steady_clock::now());
  for (const auto& slot : hosted)
    threads.push_back("of the plugin host of " + slot);
  auto reading = realtime_reading(threads);
  if (threads == told_) return reading;
  if (threads.empty()) {
    events_.report(Severity::note, node_, "all threads have real-time scheduling again");
  } else if (threads.size() >= told_.size()) {
    events_.report(Severity::warning, node_, reading.reason);
  }
  told_ = std::move(threads);
  return reading;
}

}  // namespace submix::agent
