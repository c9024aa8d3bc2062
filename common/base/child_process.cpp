// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/child_process.hpp"

#include "common/base/descriptor.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace submix {
namespace {

// Runs between fork and exec: async-signal-safe calls only. Writes errno to `report`; never
// returns.
[[noreturn]] void become(char* const* arguments, int output, int report, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // the parent died before the line above
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  // The child gets its own process group. The terminal's Ctrl-C reaches the parent only, which ends
  // its children in its own order.
  ::setpgid(0, 0);
  // A child that reads the terminal would be stopped.
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  if (output >= 0) {
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
  }
  ::execvp(arguments[0], arguments);
  const int reason = errno;
  [[maybe_unused]] const auto written = ::write(report, &reason, sizeof(reason));
  ::_exit(127);
}

std::vector<char*> argument_vector(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const auto& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

int status_of(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                         const std::filesystem::path& log_file) {
  if (log_file.empty()) return start_writing_to(-1, command);
  // O_NONBLOCK: a pipe without a reader fails in place of blocking for ever.
  constexpr int kAppending = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  const Descriptor output(::open(log_file.c_str(), kAppending, 0644));
  if (!output) return fail("{}: cannot be written: {}", log_file.string(), std::strerror(errno));
  ::fcntl(output.get(), F_SETFL, O_APPEND);
  return start_writing_to(output.get(), command);
}

Result<ChildProcess> ChildProcess::start_writing_to(int output,
                                                    const std::vector<std::string>& command) {
  int report[2];  // closed by a successful exec; carries errno otherwise
  if (::pipe2(report, O_CLOEXEC) != 0)
    return fail("{}: no pipe: {}", command[0], std::strerror(errno));
  auto arguments = argument_vector(command);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid == 0) become(arguments.data(), output, report[1], parent);
  const int fork_error = errno;
  ::close(report[1]);
  int reason = 0;
  const bool failed = pid > 0 && ::read(report[0], &reason, sizeof(reason)) > 0;
  ::close(report[0]);
  if (pid < 0) return fail("{}: cannot be started: {}", command[0], std::strerror(fork_error));
  if (failed) {
    ::waitpid(pid, nullptr, 0);
    return fail("{}: cannot be started: {}", command[0], std::strerror(reason));
  }
  return ChildProcess(pid);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), status_(other.status_) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(status_, other.status_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid_ > 0) terminate();
}

std::optional<int> ChildProcess::exit_status() {
  int wait_status = 0;
  if (!status_ && pid_ > 0 && ::waitpid(pid_, &wait_status, WNOHANG) == pid_)
    status_ = status_of(wait_status);
  return status_;
}

void ChildProcess::send_signal(int signal) {
  if (!exit_status() && pid_ > 0) ::kill(pid_, signal);
}

int ChildProcess::terminate(std::chrono::milliseconds grace) {
  send_signal(SIGTERM);
  send_signal(SIGCONT);  // a stopped child does not receive SIGTERM
  const auto deadline = std::chrono::steady_clock::now() + grace;
  while (!exit_status() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  send_signal(SIGKILL);
  while (!exit_status())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return *status_;
}

}  // namespace submix
