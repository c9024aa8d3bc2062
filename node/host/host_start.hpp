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

/// A process of submix-plugin-host; whoever has it reaps it.
struct StartedHost {
  pid_t pid = 0;
  Descriptor process;  ///< a pidfd
};

/// Starts `command` with what a host inherits: its end of the channel, its control block if it has one, no
/// input and no output, and no signal blocked or ignored.
///
/// Threads  Any; when the calling thread ends, the kernel ends the host.
/// Errors   The program cannot be started, or no descriptor is left.
[[nodiscard]] Result<StartedHost> start_host(std::vector<std::string> command, int channel,
                                             std::optional<int> control);

/// How it ended, for people: "crashed (SIGSEGV)", "ended by itself (status 0)".
[[nodiscard]] std::string end_of(const siginfo_t& status);

}  // namespace submix::host
