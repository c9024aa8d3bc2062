// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/command_binding.hpp"

namespace submix::cli {

/// Adds the commands about media folders: submix media list|copy|relink.
void add_media(CLI::App& app, Invocation& invocation);

}  // namespace submix::cli
