// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/cli/context.hpp"

namespace submix::cli {

/// The whole of `submix`: reads the arguments, runs what they ask for. Gives the exit status; wrong use is
/// told on `context.err` and gives kWrongUse.
int run(int argc, const char* const* argv, Context& context);

}  // namespace submix::cli
