// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/pipe_guard.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

namespace submix::cli {
namespace {

constexpr std::chrono::milliseconds kGuardPeriod(50);

[[noreturn]] void work_as_child(pid_t parent, const std::function<int()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);  // nothing has begun
  ::setpgid(0, 0);
  std::signal(SIGTTOU, SIG_IGN);  // `stty tostop` must not stop it at its next word
  ::_exit(work());
}

// The pipe ends with its node, not with this process.
void let_go_of_standard_files() {
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::close(nothing);
}

}  // namespace

Result<int> run_guarded(StopSignal& stop, const std::function<int()>& work,
                        const std::function<int()>& tidy) {
  std::signal(SIGCHLD, SIG_DFL);  // a shell may have it ignored; then no status would come
  const pid_t self = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return fail("no process can be started: {}", std::strerror(errno));
  if (child == 0) work_as_child(self, work);

  let_go_of_standard_files();
  int status = 0;
  pid_t ended = 0;
  for (bool is_told = false; (ended = ::waitpid(child, &status, WNOHANG)) == 0;) {
    if (is_told) {
      ::usleep(std::chrono::microseconds(kGuardPeriod).count());
    } else if (stop.wait_for(kGuardPeriod)) {
      ::kill(child, SIGTERM);
      is_told = true;
    }
  }
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : tidy();
}

}  // namespace submix::cli
