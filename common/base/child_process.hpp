// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace submix {

/// Another program, started and ended by this object. The child dies with this process, however
/// this process ends. The child reads nothing from the terminal and does not receive its Ctrl-C.
///
/// Threads  Compatible. Call start() on a thread that outlives the child, such as the main thread:
///          the kernel's parent-death signal follows the thread.
class ChildProcess {
 public:
  /// Runs `command[0]` (searched in PATH). Its stdout and stderr are appended to `log_file`; an
  /// empty `log_file` means inherited. Fails when the program cannot be executed.
  [[nodiscard]] static Result<ChildProcess> start(const std::vector<std::string>& command,
                                                  const std::filesystem::path& log_file);
  /// The same, with stdout and stderr at the file descriptor `output`, which stays the caller's.
  [[nodiscard]] static Result<ChildProcess> start_writing_to(
      int output, const std::vector<std::string>& command);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  ///< ends the child like terminate()

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// The exit status (128 + signal for a killed child); empty while the child runs. Does not block.
  [[nodiscard]] std::optional<int> exit_status();
  /// Sends `signal` if the child still runs.
  void send_signal(int signal);
  /// SIGTERM, then SIGKILL once `grace` has passed. Returns when the child is gone.
  int terminate(std::chrono::milliseconds grace = std::chrono::seconds(3));

 private:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}

  pid_t pid_ = -1;
  std::optional<int> status_;
};

}  // namespace submix
