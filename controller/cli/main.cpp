// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/standard_files.hpp"
#include "controller/cli/arguments.hpp"
#include "controller/cli/plain_output.hpp"

#include <unistd.h>

#include <iostream>

int main(int argc, char** argv) {
  submix::open_standard_files();
  submix::log::start("submix", submix::log::Level::warning);
  submix::cli::PlainOutput out(std::cout);
  submix::cli::PlainOutput err(std::cerr);
  submix::cli::Context context{out, err, ::isatty(STDOUT_FILENO) == 1};
  context.screen = &std::cout;
  return submix::cli::run(argc, argv, context);
}
