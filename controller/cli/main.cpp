// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "controller/cli/arguments.hpp"

#include <unistd.h>

#include <iostream>

int main(int argc, char** argv) {
  submix::log::start("submix", submix::log::Level::warning);
  submix::cli::Context context{std::cout, std::cerr, ::isatty(STDOUT_FILENO) == 1};
  return submix::cli::run(argc, argv, context);
}
