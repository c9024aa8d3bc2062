// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/notify_socket.hpp"
#include "common/base/stop_signal.hpp"
#include "node/agent/agent.hpp"
#include "node/agent/machine_probe.hpp"
#include "node/agent/realtime_setup.hpp"
#include "node/doctor/doctor.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <string>

namespace {

using namespace submix;

/// A plugin host takes about six descriptors with its spare, so about a hundred hosted slots exceed
/// the usual limit of 1024. No code here uses select(), whose descriptors end at 1024.
void allow_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    log::info("no more than the usual number of descriptors: {}", std::strerror(errno));
}

// Each of the node's threads goes round once a second at least.
constexpr std::chrono::seconds kLookPeriod(1);

/// Runs until a signal. The service manager hears of the node only while its threads go on.
void run(agent::Agent& agent, StopSignal& stop) {
  const auto manager = NotifySocket::of_environment();
  manager.send("READY=1");
  while (!stop.wait_for(kLookPeriod)) {
    if (agent.has_progressed()) manager.send("WATCHDOG=1");
  }
  manager.send("STOPPING=1");
}

/// Prints what this PC lacks for a show, one finding a line.
int examine(const agent::DoctorOptions& options) {
  const auto findings =
      doctor::examine_pc({.rights = agent::try_rights(),
                          .memory_available_bytes = agent::memory_available_bytes(),
                          .recordings_folder = options.recordings_folder,
                          .targets = options.targets,
                          .is_mending = options.is_mending});
  for (const auto& finding : findings)
    std::cout << doctor::json_line(finding) << '\n';
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = agent::parse_node_options(argc, argv);
  if (const auto* status = std::get_if<int>(&parsed)) return *status;
  if (const auto* asked = std::get_if<agent::DoctorOptions>(&parsed)) return examine(*asked);
  const auto& options = std::get<agent::NodeOptions>(parsed);

  StopSignal stop;
  log::start("submix-node " + options.name,
             options.is_verbose ? log::Level::debug : log::Level::info);
  allow_all_descriptors();
  const auto broker = agent::set_up_realtime(options.wants_realtime);
  const auto agent = agent::Agent::start(options);
  if (!agent) {
    log::error("{}", agent.error().message);
    return 1;
  }
  run(**agent, stop);
  log::info("stops");
  return 0;
}
