// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/host/host_loop.hpp"

#include <optional>
#include <string_view>

namespace submix::host {

/// The arguments that a HostKeeper starts its programs with: "SLOT FILE WIDTH HEIGHT NODE-PID [spare]", so
/// that process lists say which slot a host belongs to. Empty: the arguments are others.
[[nodiscard]] std::optional<HostTask> parse_task(int argc, char** argv);

/// A whole number; empty: `text` is none.
[[nodiscard]] std::optional<int> parse_number(std::string_view text);

/// From now on the kernel ends this process with its node. False: that node is gone already.
[[nodiscard]] bool tie_to_node(std::optional<int> node);

}  // namespace submix::host
