// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/realtime.hpp"
#include "common/base/stop_signal.hpp"
#include "node/agent/agent.hpp"

#include <chrono>

namespace {

using namespace submix;

void set_up_realtime(bool is_wanted) {
  if (!is_wanted) return log::info("real-time scheduling: off, as asked for");
  if (const auto allowed = allow_realtime_threads(); !allowed) {
    log::info("frames may come late while other programs load this machine: {}", allowed.error().message);
  } else {
    log::info("real-time scheduling: streams and slots go ahead of other programs");
  }
  if (const auto locked = lock_memory(); !locked)
    log::info("memory may be paged out: {}", locked.error().message);
}

/// Waits until it is time to stop.
void watch(StopSignal& stop) {
  bool is_told = false;
  while (!stop.wait_for(std::chrono::seconds(1))) {
    if (is_told || !is_realtime_withdrawn()) continue;
    is_told = true;
    log::warning(
        "a slot computed for {} ms without a pause: no more real-time scheduling, so that this machine stays "
        "usable; find the slot with `submix status`, start again to have it back",
        kRealtimeRunMax.count());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = agent::parse_node_options(argc, argv);
  if (const auto* status = std::get_if<int>(&parsed)) return *status;
  const auto& options = std::get<agent::NodeOptions>(parsed);

  StopSignal stop;
  log::start("submix-node " + options.name, options.is_verbose ? log::Level::debug : log::Level::info);
  set_up_realtime(options.wants_realtime);
  const auto agent = agent::Agent::start(options);
  if (!agent) {
    log::error("{}", agent.error().message);
    return 1;
  }
  watch(stop);
  log::info("stops");
  return 0;
}
