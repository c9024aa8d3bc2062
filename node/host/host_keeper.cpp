// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_keeper.hpp"

#include "common/base/thread.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

// posix_spawn, not fork: nothing of this process's memory is copied, however much it is.

namespace submix::host {
namespace {

std::string described(const siginfo_t& status) {
  if (status.si_code == CLD_EXITED) return fmt::format("ended by itself (status {})", status.si_status);
  const char* const name = ::sigabbrev_np(status.si_status);
  const auto signal =
      name == nullptr ? fmt::format("signal {}", status.si_status) : fmt::format("SIG{}", name);
  return status.si_status == SIGKILL ? "was killed" : fmt::format("crashed ({})", signal);
}

/// How a host is started: what it inherits, and that no signal is blocked or ignored there.
class Start {
 public:
  Start(int channel, int control) : channel_(above_targets(channel)), control_(above_targets(control)) {
    ::posix_spawn_file_actions_init(&files_);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files_, output, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, channel_.get(), kChannelDescriptor);
    ::posix_spawn_file_actions_adddup2(&files_, control_.get(), kControlDescriptor);
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// 0, or the error's number.
  int run(pid_t& pid, std::vector<std::string> command) const {
    std::vector<char*> arguments;
    for (auto& argument : command)
      arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    return ::posix_spawn(&pid, arguments[0], &files_, &attributes_, arguments.data(), environ);
  }

 private:
  // Should one of them be the other's target, it would be overwritten before its turn.
  static Descriptor above_targets(int descriptor) {
    return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, kControlDescriptor + 1));
  }

  const Descriptor channel_;
  const Descriptor control_;
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

void add(const Descriptor& watch, int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  ::epoll_ctl(watch.get(), EPOLL_CTL_ADD, descriptor, &event);
}

}  // namespace

std::filesystem::path host_program_beside_this() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "submix-plugin-host";
}

Result<std::unique_ptr<HostKeeper>> HostKeeper::open(std::filesystem::path program) {
  if (::access(program.c_str(), X_OK) != 0) {
    return fail("{}: cannot be run: {}; install it beside submix-node", program.string(),
                std::strerror(errno));
  }
  Descriptor watch(::epoll_create1(EPOLL_CLOEXEC));
  Descriptor news(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!watch || !news) return fail("no descriptors for plugin hosts: {}", std::strerror(errno));
  add(watch, news.get());
  return std::unique_ptr<HostKeeper>(new HostKeeper(std::move(program), std::move(watch), std::move(news)));
}

HostKeeper::HostKeeper(std::filesystem::path program, Descriptor watch, Descriptor news)
    : program_(std::move(program)),
      watch_(std::move(watch)),
      news_(std::move(news)),
      thread_(start_thread("hosts", [this](const std::stop_token& stop) { run(stop); })) {}

HostKeeper::~HostKeeper() {
  thread_.request_stop();
  wake();
  thread_.join();
}

Result<std::shared_ptr<HostProcess>> HostKeeper::start(HostOrder order) {
  auto host = HostProcess::prepare(std::move(order));
  if (!host) return host;
  hosts_alive_.fetch_add(1, std::memory_order_relaxed);
  {
    const MutexLock lock(mutex_);
    waiting_.push_back(*host);
  }
  wake();
  return host;
}

void HostKeeper::finish(HostProcess& host, const std::string& end) {
  hosts_alive_.fetch_sub(1, std::memory_order_relaxed);
  host.finish(end);
}

void HostKeeper::wake() const {
  ::eventfd_write(news_.get(), 1);
}

void HostKeeper::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    watch_once();
    start_waiting();
  }
  end_all();
}

void HostKeeper::watch_once() {
  std::array<epoll_event, 16> events{};
  const int count = ::epoll_wait(watch_.get(), events.data(), static_cast<int>(events.size()), -1);
  for (int i = 0; i < count; ++i) {
    const int descriptor = events[static_cast<std::size_t>(i)].data.fd;
    eventfd_t ignored = 0;
    if (descriptor == news_.get()) {
      ::eventfd_read(descriptor, &ignored);
    } else {
      reap(descriptor);
    }
  }
}

void HostKeeper::start_waiting() {
  Hosts waiting;
  {
    const MutexLock lock(mutex_);
    waiting.swap(waiting_);
  }
  for (const auto& host : waiting)
    spawn(host);
}

void HostKeeper::spawn(const std::shared_ptr<HostProcess>& host) {
  const auto& order = host->order();
  pid_t pid = 0;
  const int error =
      Start(host->host_channel(), host->control_memory())
          .run(pid, {program_.string(), order.slot, order.file.string(), std::to_string(order.size.width),
                     std::to_string(order.size.height), std::to_string(::getpid())});
  if (error != 0)
    return finish(*host, fmt::format("{} cannot be started: {}", program_.string(), std::strerror(error)));
  Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (!process) {
    const int reason = errno;
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    return finish(*host, fmt::format("no descriptor to watch it by: {}", std::strerror(reason)));
  }
  const int watched = process.get();
  {
    const MutexLock lock(mutex_);
    alive_.emplace(watched, host);
  }
  host->begin(pid, std::move(process));
  add(watch_, watched);
}

void HostKeeper::reap(int process) {
  siginfo_t status{};
  if (::waitid(P_PIDFD, static_cast<id_t>(process), &status, WEXITED) != 0) return;
  std::shared_ptr<HostProcess> host;
  {
    const MutexLock lock(mutex_);
    const auto found = alive_.find(process);
    if (found == alive_.end()) return;
    host = std::move(found->second);
    alive_.erase(found);
  }
  ::epoll_ctl(watch_.get(), EPOLL_CTL_DEL, process, nullptr);
  finish(*host, described(status));
}

void HostKeeper::end_all() {
  std::vector<int> processes;
  {
    const MutexLock lock(mutex_);
    for (const auto& host : waiting_)
      finish(*host, "was not started: the node stops");
    waiting_.clear();
    for (const auto& [process, host] : alive_) {
      host->kill();
      processes.push_back(process);
    }
  }
  for (const int process : processes)
    reap(process);
}

}  // namespace submix::host
