// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/notify_socket.hpp"
#include "common/base/program_folder.hpp"
#include "common/base/standard_files.hpp"
#include "common/base/stop_signal.hpp"
#include "node/agent/agent.hpp"
#include "node/agent/machine_probe.hpp"
#include "node/agent/realtime_setup.hpp"
#include "node/agent/waiting_process.hpp"
#include "node/doctor/doctor.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

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

enum class End { by_signal, for_other_desk };

/// Runs until a signal, or until this PC has another desk and the node runs nothing. A show without
/// its server runs on; a server that stays away for a minute was given up with the former desk.
/// The service manager hears of the node only while its threads go on.
End run(agent::Agent& agent, const agent::NodeOptions& options, StopSignal& stop) {
  constexpr int kIdleLooks = 3;
  constexpr int kLooksWithoutServer = 60;
  const auto manager = NotifySocket::of_environment();
  manager.send("READY=1");
  int idle_looks = 0;
  int looks_without_server = 0;
  agent::WaitingProcess waiting(private_program("submix-waiting"), options);
  bool is_told = false;
  while (!stop.wait_for(kLookPeriod)) {
    if (agent.has_progressed()) manager.send("WATCHDOG=1");
    waiting.tend(LocalTime::clock::now(), agent.has_server());
    if (!agent::has_other_desk(options)) continue;
    if (!std::exchange(is_told, true))
      log::info("this PC has another desk: the node goes there when it runs nothing");
    idle_looks = agent.is_idle() ? idle_looks + 1 : 0;
    looks_without_server = agent.has_server() ? 0 : looks_without_server + 1;
    if (idle_looks == kIdleLooks || looks_without_server == kLooksWithoutServer)
      return End::for_other_desk;
  }
  manager.send("STOPPING=1");
  return End::by_signal;
}

/// Starts a node and runs it. The exit status; empty: it shall start again, at another desk.
std::optional<int> run_once(const agent::NodeOptions& options, StopSignal& stop) {
  const auto agent = agent::Agent::start(options);
  if (!agent) {
    log::error("{}", agent.error().message);
    return 1;
  }
  const auto end = run(**agent, options, stop);
  if (end == End::for_other_desk) return std::nullopt;
  log::info("stops");
  return 0;
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
  open_standard_files();
  auto parsed = agent::parse_node_options(argc, argv);
  if (const auto* asked = std::get_if<agent::DoctorOptions>(&parsed)) return examine(*asked);
  if (const auto* status = std::get_if<int>(&parsed)) return *status;
  const auto& options = std::get<agent::NodeOptions>(parsed);

  StopSignal stop;
  log::start("submix-node " + options.name,
             options.is_verbose ? log::Level::debug : log::Level::info);
  allow_all_descriptors();
  const auto broker = agent::set_up_realtime(options.wants_realtime);
  for (;;) {
    if (const auto status = run_once(std::get<agent::NodeOptions>(parsed), stop)) return *status;
    parsed = agent::parse_node_options(argc, argv);  // with the other desk's address and key
    if (const auto* status = std::get_if<int>(&parsed)) return *status;
  }
}
