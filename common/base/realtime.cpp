// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/realtime.hpp"

#include "common/base/realtime_broker.hpp"

#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>

namespace submix {
namespace {

constexpr std::size_t kThreadsMax = 512;  // more are not raised
constexpr std::size_t kNoPlace = kThreadsMax;

std::atomic<bool> is_allowed{false};
std::atomic<RealtimeBroker*> broker{nullptr};  // null: this process has the right itself
std::atomic<bool> is_withdrawn{false};
std::array<std::atomic<pid_t>, kThreadsMax> raised{};  // thread ids, 0: none
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler reads them");

bool schedule(pid_t thread, int policy, int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return ::sched_setscheduler(thread, policy, &parameters) == 0;
}

bool raise(pid_t thread, int priority) {
  return schedule(thread, SCHED_RR | SCHED_RESET_ON_FORK, priority);
}

// The kernel sends SIGXCPU to the process, not to the thread that ran for too long. Only what signal handlers
// may call.
void withdraw(int) {
  const int error_number = errno;
  is_withdrawn.store(true);
  is_allowed.store(false);
  for (const auto& thread : raised) {
    if (const auto id = thread.load(); id != 0) schedule(id, SCHED_OTHER, 0);
  }
  errno = error_number;
}

void limit_run(rlim_t hard_max) {
  struct sigaction action{};
  action.sa_handler = withdraw;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGXCPU, &action, nullptr);
  rlimit limit{};
  if (::getrlimit(RLIMIT_RTTIME, &limit) != 0) return;
  // At the hard limit the kernel kills: stay well below.
  const auto wanted = static_cast<rlim_t>(std::chrono::microseconds(kRealtimeRunMax).count());
  limit.rlim_max = std::min(limit.rlim_max, hard_max);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max / 2);
  ::setrlimit(RLIMIT_RTTIME, &limit);
}

bool has_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return false;
  return ((data[capability / 32].effective >> (capability % 32)) & 1U) != 0;
}

std::string remedy(const char* limits_line) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return fmt::format(
      "permit it by sudo setcap cap_sys_nice,cap_ipc_lock+ep {}  or by the line \"{}\" in "
      "/etc/security/limits.conf, and log in anew",
      error ? "submix-node" : program.string(), limits_line);
}

std::size_t enter(pid_t thread) {
  for (std::size_t i = 0; i < raised.size(); ++i) {
    pid_t none = 0;
    if (raised[i].compare_exchange_strong(none, thread)) return i;
  }
  return kNoPlace;
}

}  // namespace

Result<void> allow_realtime_threads() {
  if (!raise(0, kRealtimeNetPriority)) {
    return fail("no right to real-time scheduling ({}): {}", std::strerror(errno),
                remedy("USER - rtprio 20"));
  }
  schedule(0, SCHED_OTHER, 0);  // that was to find out: this thread is an ordinary one
  limit_run(RLIM_INFINITY);
  is_withdrawn.store(false);
  broker.store(nullptr);
  is_allowed.store(true);
  return {};
}

Result<void> lock_memory() {
  rlimit limit{};
  ::getrlimit(RLIMIT_MEMLOCK, &limit);
  if (limit.rlim_cur != RLIM_INFINITY && !has_capability(CAP_IPC_LOCK)) {
    return fail("no right to lock more than {} KiB of memory: {}", limit.rlim_cur / 1024,
                remedy("USER - memlock unlimited"));
  }
  // On fault: a thread's stack of 8 MiB shall not become resident for the few pages it uses.
  if (::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0) return {};
  return fail("memory cannot be locked: {}", std::strerror(errno));
}

bool is_realtime_withdrawn() {
  return is_withdrawn.load();
}

std::chrono::microseconds realtime_run_max() {
  rlimit limit{};
  const std::chrono::microseconds most(kRealtimeRunMax);
  if (::getrlimit(RLIMIT_RTTIME, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::min(most, std::chrono::microseconds(limit.rlim_cur));
}

void raise_child(pid_t process) {
  if (is_allowed.load() && broker.load() == nullptr) raise(process, kRealtimeStagePriority);
}

void become_ordinary_when_out_of_time() {
  struct sigaction action{};
  action.sa_handler = [](int) {
    const int error_number = errno;
    schedule(::getpid(), SCHED_OTHER, 0);
    errno = error_number;
  };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGXCPU, &action, nullptr);
}

namespace detail {

void limit_realtime_run(std::chrono::microseconds hard_limit) {
  limit_run(static_cast<rlim_t>(hard_limit.count()));
}

void allow_realtime_threads_by(RealtimeBroker* by) {
  is_allowed.store(false);
  broker.store(by);
  if (by == nullptr) return;
  is_withdrawn.store(false);
  is_allowed.store(true);
}

void lower_thread(pid_t thread) {
  schedule(thread, SCHED_OTHER, 0);
}

}  // namespace detail

RaisedThread::RaisedThread(Urgency urgency) : place_(kNoPlace), broker_(nullptr) {
  if (urgency == Urgency::normal || !is_allowed.load()) return;
  const auto thread = ::gettid();
  place_ = enter(thread);
  if (place_ == kNoPlace) return;
  const int priority = urgency == Urgency::net ? kRealtimeNetPriority : kRealtimeStagePriority;
  broker_ = broker.load();
  if (broker_ != nullptr) {
    broker_->raise(thread, priority);
    return;
  }
  raise(thread, priority);
  if (is_withdrawn.load()) schedule(thread, SCHED_OTHER, 0);  // the handler may have come in between
}

RaisedThread::~RaisedThread() {
  if (place_ == kNoPlace) return;
  if (broker_ != nullptr) broker_->forget(::gettid());
  schedule(0, SCHED_OTHER, 0);
  raised[place_].store(0);
}

}  // namespace submix
