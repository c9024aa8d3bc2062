// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_loop.hpp"

#include <optional>
#include <string_view>

namespace submix::host {

/// Reads the arguments that a HostKeeper gives its programs: "SLOT FILE WIDTH HEIGHT NODE-PID
/// [spare]". They let a process list show which slot a host belongs to. Empty: these are other
/// arguments.
[[nodiscard]] std::optional<HostTask> parse_task(int argc, char** argv);

/// Reads a whole number. Empty: `text` is not a number.
[[nodiscard]] std::optional<int> parse_number(std::string_view text);

/// Makes the kernel end this process when its node ends. False: the node is already gone.
[[nodiscard]] bool tie_to_node(std::optional<int> node);

}  // namespace submix::host
