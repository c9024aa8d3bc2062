// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/host/memory_probe.hpp"

#include "common/base/descriptor.hpp"
#include "node/host/probe_status.hpp"
#include "node/host/wait_readable.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>

namespace submix::host {
namespace {

// The slowest known plugin takes a quarter of a second.
constexpr std::chrono::milliseconds kTimeout(10'000);

/// 0, or the number of the error. posix_spawn, not fork: it copies nothing of this process's
/// memory.
int start(const std::filesystem::path& program, const std::filesystem::path& file, pid_t& pid) {
  posix_spawn_file_actions_t files{};
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  for (const int output : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
  std::string name = program.string();
  std::string option(kProbeOption);
  std::string library = file.string();
  const std::array<char*, 4> arguments{name.data(), option.data(), library.data(), nullptr};
  const int error = ::posix_spawn(&pid, name.c_str(), &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  return error;
}

Result<plugin::Memory> verdict(const siginfo_t& end) {
  if (end.si_code != CLD_EXITED) {
    const char* const name = ::sigabbrev_np(end.si_status);
    return fail("it crashed (SIG{})", name == nullptr ? "?" : name);
  }
  switch (end.si_status) {
    case kKeepsNothing:
      return plugin::Memory::none;
    case kKeepsFrames:
      return plugin::Memory::frames;
    default:
      return fail("it could not be run (status {})", end.si_status);
  }
}

}  // namespace

Result<plugin::Memory> probe_memory(const std::filesystem::path& program,
                                    const std::filesystem::path& file,
                                    const std::stop_token& stop) {
  if (stop.stop_requested()) return fail("the node stops");
  pid_t pid = 0;
  if (const int error = start(program, file, pid); error != 0)
    return fail("{} cannot be started: {}", program.string(), std::strerror(error));
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  const auto deadline = std::chrono::steady_clock::now() + kTimeout;
  const bool has_ended = process && wait_until_readable(process.get(), deadline, stop);
  if (!has_ended) ::kill(pid, SIGKILL);
  siginfo_t status{};
  while (::waitid(P_PID, static_cast<id_t>(pid), &status, WEXITED) != 0 && errno == EINTR) {
  }
  if (stop.stop_requested()) return fail("the node stops");
  if (!has_ended) return fail("it was not done within {} s", kTimeout / std::chrono::seconds(1));
  return verdict(status);
}

}  // namespace submix::host
