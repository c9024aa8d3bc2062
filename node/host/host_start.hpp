// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/descriptor.hpp"
#include "common/base/result.hpp"

#include <sys/types.h>

#include <csignal>
#include <optional>
#include <string>
#include <vector>

namespace submix::host {

/// A started process. The caller reaps it.
struct StartedHost {
  pid_t pid = 0;
  Descriptor process;  ///< a pidfd
};

/// Starts `command`. The process inherits its end of the channel and its control block, if it has
/// one. It has no input and no output, and no signal is blocked or ignored.
///
/// Threads  Any. When the calling thread ends, the kernel ends the process.
/// Errors   The program cannot be started, or no descriptor is left.
[[nodiscard]] Result<StartedHost> start_host(std::vector<std::string> command, int channel,
                                             std::optional<int> control);

/// How a process ended, for people: "crashed (SIGSEGV)", "ended by itself (status 0)".
[[nodiscard]] std::string end_of(const siginfo_t& status);

}  // namespace submix::host
