// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/throughput/context.hpp"

namespace submix::throughput {

/// The program but for main(): reads the arguments, runs a command, gives the exit status.
int run(int argc, const char* const* argv, Context& context);

}  // namespace submix::throughput
