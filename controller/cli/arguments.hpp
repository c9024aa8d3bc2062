// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

namespace submix::cli {

/// The whole of `submix`: parses the arguments and runs the command. Returns the exit status. Wrong
/// use is reported on `context.err` and returns kWrongUse.
int run(int argc, const char* const* argv, Context& context);

}  // namespace submix::cli
