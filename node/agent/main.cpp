// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/notify_socket.hpp"
#include "common/base/realtime.hpp"
#include "common/base/stop_signal.hpp"
#include "node/agent/agent.hpp"
#include "node/agent/rtkit.hpp"

#include <sys/resource.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace submix;

Result<std::unique_ptr<RealtimeBroker>> start_broker(agent::Rtkit rtkit) {
  // Shared, since a std::function must be copyable.
  const auto shared = std::make_shared<agent::Rtkit>(std::move(rtkit));
  return RealtimeBroker::start(shared->terms(), [shared](pid_t thread, int priority) {
    return shared->raise(thread, priority);
  });
}

/// A broker that raises threads by rtkit. Null: rtkit is missing or refuses; the log says so.
std::unique_ptr<RealtimeBroker> ask_rtkit(const std::string& own_trouble) {
  auto rtkit = agent::Rtkit::connect();
  auto broker = rtkit ? start_broker(std::move(*rtkit)) : tl::unexpected(rtkit.error());
  if (!broker) {
    log::info(
        "frames may come late while other programs load this machine: {}; nor does rtkit help: {}",
        own_trouble, broker.error().message);
    return nullptr;
  }
  log::info(
      "real-time scheduling: streams and slots go ahead of other programs, by rtkit ({} ms without "
      "a pause); third-party plugins in processes of their own do not",
      std::chrono::duration_cast<std::chrono::milliseconds>(realtime_run_max()).count());
  return std::move(*broker);
}

/// A broker that outlives all other threads; null: not needed.
std::unique_ptr<RealtimeBroker> set_up_realtime(bool is_wanted) {
  if (!is_wanted) {
    log::info("real-time scheduling: off, as asked for");
    return nullptr;
  }
  std::unique_ptr<RealtimeBroker> broker;
  if (const auto allowed = allow_realtime_threads(); !allowed) {
    broker = ask_rtkit(allowed.error().message);
  } else {
    log::info(
        "real-time scheduling: streams and slots go ahead of other programs, by this process's own "
        "right");
  }
  if (const auto locked = lock_memory(); !locked)
    log::info("memory may be paged out: {}", locked.error().message);
  return broker;
}

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

}  // namespace

int main(int argc, char** argv) {
  const auto parsed = agent::parse_node_options(argc, argv);
  if (const auto* status = std::get_if<int>(&parsed)) return *status;
  const auto& options = std::get<agent::NodeOptions>(parsed);

  StopSignal stop;
  log::start("submix-node " + options.name,
             options.is_verbose ? log::Level::debug : log::Level::info);
  allow_all_descriptors();
  const auto broker = set_up_realtime(options.wants_realtime);
  const auto agent = agent::Agent::start(options);
  if (!agent) {
    log::error("{}", agent.error().message);
    return 1;
  }
  run(**agent, stop);
  log::info("stops");
  return 0;
}
