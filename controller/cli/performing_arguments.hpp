// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/command_binding.hpp"

namespace submix::cli {

/// Adds submix knob, submix preset and submix cue.
void add_performing_commands(CLI::App& app, Invocation& invocation);

}  // namespace submix::cli
