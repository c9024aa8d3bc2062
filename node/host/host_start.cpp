// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/host_start.hpp"

#include "node/host/control_block.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

// posix_spawn, not fork: it copies nothing of this process's memory, however large.

namespace submix::host {
namespace {

/// How a host is started: the descriptors that it inherits, and no signal blocked or ignored.
class Start {
 public:
  Start(int channel, std::optional<int> control) : channel_(above_targets(channel)) {
    ::posix_spawn_file_actions_init(&files_);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files_, output, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files_, channel_.get(), kChannelDescriptor);
    if (control) {
      control_ = above_targets(*control);
      ::posix_spawn_file_actions_adddup2(&files_, control_.get(), kControlDescriptor);
    }
    ::posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigset_t all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    ::posix_spawn_file_actions_destroy(&files_);
    ::posix_spawnattr_destroy(&attributes_);
  }

  /// 0, or the number of the error.
  int run(pid_t& pid, std::vector<std::string> command) const {
    std::vector<char*> arguments;
    for (auto& argument : command)
      arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    return ::posix_spawn(&pid, arguments[0], &files_, &attributes_, arguments.data(), environ);
  }

 private:
  // A descriptor that has the other's target number would be overwritten before its turn.
  static Descriptor above_targets(int descriptor) {
    return Descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, kControlDescriptor + 1));
  }

  const Descriptor channel_;
  Descriptor control_;
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Result<StartedHost> start_host(std::vector<std::string> command, int channel,
                               std::optional<int> control) {
  const auto program = command.front();
  pid_t pid = 0;
  if (const int error = Start(channel, control).run(pid, std::move(command)); error != 0)
    return fail("{} cannot be started: {}", program, std::strerror(error));
  Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (process) return StartedHost{pid, std::move(process)};
  const int reason = errno;
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return fail("no descriptor to watch it by: {}", std::strerror(reason));
}

std::string end_of(const siginfo_t& status) {
  if (status.si_code == CLD_EXITED)
    return fmt::format("ended by itself (status {})", status.si_status);
  const char* const name = ::sigabbrev_np(status.si_status);
  const auto signal =
      name == nullptr ? fmt::format("signal {}", status.si_status) : fmt::format("SIG{}", name);
  return status.si_status == SIGKILL ? "was killed" : fmt::format("crashed ({})", signal);
}

}  // namespace submix::host
