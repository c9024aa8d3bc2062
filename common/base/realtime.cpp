// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/realtime.hpp"

#include "common/base/mutex.hpp"
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
#include <cstdint>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace submix {
namespace {

constexpr std::size_t kThreadsMax = 512;  // further threads are not raised
constexpr std::size_t kNoEntry = kThreadsMax;

std::atomic<bool> is_allowed{false};
std::atomic<RealtimeBroker*> broker{nullptr};  // null: this process has the right itself

/// A raised thread. A signal handler reads and writes it.
struct ThreadEntry {
  std::atomic<pid_t> thread{0};  // 0: the entry is free
  std::atomic<int> priority{0};
  // When the thread was lowered, by the steady clock; 0: not lowered.
  std::atomic<std::int64_t> lowered_ns{0};
  std::atomic<std::int64_t> raised_ns{0};  // when the thread was raised again
  std::atomic<int> times{0};               // repetitions soon after one another
};
static_assert(std::atomic<pid_t>::is_always_lock_free &&
                  std::atomic<std::int64_t>::is_always_lock_free,
              "a signal handler uses them");

std::array<ThreadEntry, kThreadsMax> entries{};
// Held while a thread takes or leaves a entry, or is raised again. Never held in the signal
// handler.
Mutex entries_mutex;
thread_local std::size_t own_entry = kNoEntry;
rlimit run_limit{};  // as set by limit_run()

bool schedule(pid_t thread, int policy, int priority) {
  sched_param parameters{};
  parameters.sched_priority = priority;
  return ::sched_setscheduler(thread, policy, &parameters) == 0;
}

bool raise(pid_t thread, int priority) {
  return schedule(thread, SCHED_RR | SCHED_RESET_ON_FORK, priority);
}

// Only a process that may raise any thread may clear a thread's SCHED_RESET_ON_FORK flag. Without
// this right (a right by rlimit, or a confined plugin host) the thread keeps the flag.
bool make_ordinary(pid_t thread) {
  return schedule(thread, SCHED_OTHER, 0) || schedule(thread, SCHED_OTHER | SCHED_RESET_ON_FORK, 0);
}

std::int64_t nanoseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void lower(ThreadEntry& entry) {
  const auto thread = entry.thread.load();
  if (thread == 0 || entry.lowered_ns.load() != 0) return;
  const auto now = nanoseconds_now();
  const bool is_soon =
      now - entry.raised_ns.load() < std::chrono::nanoseconds(kLoweredSoon).count();
  entry.times.store(is_soon ? std::min(entry.times.load() + 1, kLoweredDoublings) : 0);
  entry.lowered_ns.store(now);
  make_ordinary(thread);
}

// The kernel delivers SIGXCPU to the thread that ran for too long, so raised threads do not block
// it. If another thread receives the signal, the culprit is unknown: all raised threads are
// lowered. Only async-signal-safe calls are allowed here.
void withdraw(int) {
  const int error_number = errno;
  ::setrlimit(RLIMIT_RTTIME, &run_limit);  // the kernel has raised the limit by a second
  const auto self = static_cast<pid_t>(::syscall(SYS_gettid));
  const auto is_self = [self](const ThreadEntry& entry) { return entry.thread.load() == self; };
  const bool is_known = std::any_of(entries.begin(), entries.end(), is_self);
  for (auto& entry : entries) {
    if (!is_known || is_self(entry)) lower(entry);
  }
  errno = error_number;
}

void limit_run(rlim_t hard_max) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_RTTIME, &limit) != 0) return;
  // At the hard limit the kernel kills the process: stay well below.
  const auto wanted = static_cast<rlim_t>(std::chrono::microseconds(kRealtimeRunMax).count());
  limit.rlim_max = std::min(limit.rlim_max, hard_max);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max / 2);
  run_limit = limit;
  struct sigaction action{};
  action.sa_handler = withdraw;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGXCPU, &action, nullptr);
  ::setrlimit(RLIMIT_RTTIME, &limit);
}

bool has_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  if (::syscall(SYS_capget, &header, data.data()) != 0) return false;
  return ((data[capability / 32].effective >> (capability % 32)) & 1U) != 0;
}

// As the package submix-node installs it: rights for the members of a group.
constexpr const char* kGroupLimits = "/etc/security/limits.d/submix.conf";

std::string remedy(const char* limits_line) {
  std::error_code error;
  const bool has_group = std::filesystem::exists(kGroupLimits, error);
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return fmt::format(
      "permit it by {}sudo setcap cap_sys_nice,cap_ipc_lock+ep {}  or by the line \"{}\" in "
      "/etc/security/limits.conf, and log in anew",
      has_group ? "sudo adduser USER submix, and log in anew; or by " : "",
      error ? "submix-node" : program.string(), limits_line);
}

std::size_t enter(pid_t thread, int priority) {
  const MutexLock lock(entries_mutex);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto& entry = entries[i];
    if (entry.thread.load() != 0) continue;
    entry.priority.store(priority);
    entry.lowered_ns.store(0);
    entry.raised_ns.store(0);
    entry.times.store(0);
    entry.thread.store(thread);
    return i;
  }
  return kNoEntry;
}

void leave(std::size_t at) {
  const MutexLock lock(entries_mutex);
  entries[at].thread.store(0);
}

std::string line_of(pid_t thread, const char* file) {
  std::ifstream in(fmt::format("/proc/self/task/{}/{}", thread, file));
  std::string line;
  std::getline(in, line);
  return line;
}

// A sleeping thread starts a new run when it wakes up under the new scheduling.
bool is_asleep(pid_t thread) {
  const auto line = line_of(thread, "stat");  // "12 (name) S …"
  const auto end = line.rfind(") ");
  return end != std::string::npos && line.compare(end + 2, 1, "S") == 0;
}

void raise_as_entered(const ThreadEntry& entry) {
  const auto thread = entry.thread.load();
  if (auto* by = broker.load()) {
    by->raise(thread, entry.priority.load());
  } else {
    raise(thread, entry.priority.load());
  }
}

}  // namespace

Result<void> allow_realtime_threads() {
  if (!raise(0, kRealtimeNetPriority)) {
    const std::string reason = std::strerror(errno);  // remedy() reads files
    return fail("no right to real-time scheduling ({}): {}", reason, remedy("USER - rtprio 20"));
  }
  make_ordinary(0);  // undoes the trial: the calling thread stays ordinary
  limit_run(RLIM_INFINITY);
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
  // MCL_ONFAULT: a thread's stack of 8 MiB must not become resident for the few pages in use.
  if (::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0) return {};
  return fail("memory cannot be locked: {}", std::strerror(errno));
}

std::vector<std::string> tend_lowered_threads(std::chrono::steady_clock::time_point now) {
  std::vector<std::string> names;
  const auto now_ns = std::chrono::nanoseconds(now.time_since_epoch()).count();
  const MutexLock lock(entries_mutex);
  for (auto& entry : entries) {
    const auto thread = entry.thread.load();
    const auto since = entry.lowered_ns.load();
    if (thread == 0 || since == 0) continue;
    const auto pause = std::chrono::nanoseconds(kLoweredPause).count() << entry.times.load();
    if (now_ns - since < pause || !is_asleep(thread)) {
      names.push_back(line_of(thread, "comm"));
      continue;
    }
    entry.raised_ns.store(now_ns);
    entry.lowered_ns.store(0);
    raise_as_entered(entry);
  }
  return names;
}

bool is_realtime_withdrawn() {
  return std::any_of(entries.begin(), entries.end(), [](const ThreadEntry& entry) {
    return entry.thread.load() != 0 && entry.lowered_ns.load() != 0;
  });
}

std::chrono::microseconds realtime_run_max() {
  rlimit limit{};
  const std::chrono::microseconds most(kRealtimeRunMax);
  if (::getrlimit(RLIMIT_RTTIME, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return most;
  return std::min(most, std::chrono::microseconds(limit.rlim_cur));
}

// The kernel raises the limit by a second each time the limit is reached. The child may not lower
// the limit again, so this process sets it.
bool raise_child(pid_t process) {
  if (!is_allowed.load() || broker.load() != nullptr) return false;
  ::prlimit(process, RLIMIT_RTTIME, &run_limit, nullptr);
  return raise(process, kRealtimeStagePriority);
}

bool is_child_raised(pid_t process) {
  return (::sched_getscheduler(process) & ~SCHED_RESET_ON_FORK) == SCHED_RR;
}

void become_ordinary_when_out_of_time() {
  struct sigaction action{};
  action.sa_handler = [](int) {
    const int error_number = errno;
    make_ordinary(::getpid());
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
  is_allowed.store(true);
}

void lower_thread(pid_t thread) {
  make_ordinary(thread);
}

bool is_to_be_ordinary(pid_t thread) {
  return std::any_of(entries.begin(), entries.end(), [thread](const ThreadEntry& entry) {
    return entry.thread.load() == thread && entry.lowered_ns.load() != 0;
  });
}

}  // namespace detail

RaisedThread::RaisedThread(Urgency urgency) : entry_(kNoEntry), broker_(nullptr) {
  if (urgency == Urgency::normal || !is_allowed.load()) return;
  sigset_t overrun;
  sigemptyset(&overrun);
  sigaddset(&overrun, SIGXCPU);
  ::pthread_sigmask(SIG_UNBLOCK, &overrun, nullptr);  // see withdraw()
  broker_ = broker.load();
  entry_ =
      enter(::gettid(), urgency == Urgency::net ? kRealtimeNetPriority : kRealtimeStagePriority);
  if (entry_ == kNoEntry) return;
  own_entry = entry_;
  raise_as_entered(entries[entry_]);
  // The signal handler may have run in between.
  if (entries[entry_].lowered_ns.load() != 0) make_ordinary(0);
}

RaisedThread::~RaisedThread() {
  if (entry_ == kNoEntry) return;
  leave(entry_);
  own_entry = kNoEntry;
  if (broker_ != nullptr) broker_->forget(::gettid());
  make_ordinary(0);
}

OrdinaryThread::OrdinaryThread()
    : is_lowered_(own_entry != kNoEntry && entries[own_entry].lowered_ns.load() == 0) {
  if (!is_lowered_) return;
  if (auto* by = broker.load()) by->forget(::gettid());
  make_ordinary(0);
}

OrdinaryThread::~OrdinaryThread() {
  if (!is_lowered_) return;
  raise_as_entered(entries[own_entry]);
  if (entries[own_entry].lowered_ns.load() != 0) make_ordinary(0);
}

}  // namespace submix
