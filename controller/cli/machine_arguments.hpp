// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/command_binding.hpp"

namespace submix::cli {

/// Adds the commands about this machine, not about a show: submix doctor, shaders, key, nats,
/// desk, join, leave, metrics and simulate.
void add_machine_commands(CLI::App& app, Invocation& invocation);

}  // namespace submix::cli
