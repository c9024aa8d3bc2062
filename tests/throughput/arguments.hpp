// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"

namespace submix::throughput {

/// The whole program except for main(): reads the arguments, runs a command, returns the exit
/// status.
int run(int argc, const char* const* argv, Context& context);

}  // namespace submix::throughput
