// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
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
  const auto shared =
      std::make_shared<agent::Rtkit>(std::move(rtkit));  // a std::function can be copied
  return RealtimeBroker::start(shared->terms(), [shared](pid_t thread, int priority) {
    return shared->raise(thread, priority);
  });
}

/// What raises threads by rtkit; null: it is not there, or does not want to, as the log says then.
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
      "a pause); "
      "third-party plugins in processes of their own do not",
      std::chrono::duration_cast<std::chrono::milliseconds>(realtime_run_max()).count());
  return std::move(*broker);
}

/// What outlives all other threads; null where nothing is needed for it.
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

/// A plugin in a process of its own takes about six with its spare: more than a hundred such slots are more
/// than the 1024 that most systems begin with. Nothing here waits by select(), which knows no more.
void allow_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    log::info("no more than the usual number of descriptors: {}", std::strerror(errno));
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
  while (!stop.wait_for(std::chrono::seconds(1))) {
  }
  log::info("stops");
  return 0;
}
