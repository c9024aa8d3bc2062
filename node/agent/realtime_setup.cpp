// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/realtime_setup.hpp"

#include "common/base/log.hpp"
#include "common/base/realtime.hpp"
#include "node/agent/rtkit.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <utility>

namespace submix::agent {
namespace {

Result<std::unique_ptr<RealtimeBroker>> start_broker() {
  auto rtkit = Rtkit::connect();
  SUBMIX_TRY(rtkit);
  // Shared, since a std::function must be copyable.
  const auto shared = std::make_shared<Rtkit>(std::move(*rtkit));
  return RealtimeBroker::start(shared->terms(), [shared](pid_t thread, int priority) {
    return shared->raise(thread, priority);
  });
}

/// A broker that raises threads by rtkit. Null: rtkit is missing or refuses; the log says so.
std::unique_ptr<RealtimeBroker> ask_rtkit(const std::string& own_trouble) {
  auto broker = start_broker();
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

// The errors of a start name commands for each remedy; the doctor has one of its own.
Result<std::string> try_realtime() {
  if (allow_realtime_threads()) return "by the node's own right";
  const auto broker = start_broker();
  if (broker) return "by rtkit; third-party plugins in processes of their own have none";
  return fail("neither this user nor submix-node has the right; nor does rtkit help: {}",
              broker.error().message);
}

Result<void> try_memory_lock() {
  if (lock_memory()) return {};
  return fail("neither this user nor submix-node may lock memory: it may be paged out");
}

}  // namespace

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

doctor::Rights try_rights() {
  rlimit descriptors{};
  ::getrlimit(RLIMIT_NOFILE, &descriptors);
  return {.realtime = try_realtime(),
          .memory_lock = try_memory_lock(),
          .descriptors_max = descriptors.rlim_max,
          .is_by_sudo = ::geteuid() == 0 && std::getenv("SUDO_USER") != nullptr};
}

}  // namespace submix::agent
