// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "controller/cli/arguments.hpp"
#include "controller/cli/plain_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <iostream>

namespace {

// A closed standard input or output would be the number of the next file that is opened.
void open_standard_files() {
  int opened = 0;
  while (opened >= 0 && opened <= STDERR_FILENO)
    opened = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (opened >= 0) ::close(opened);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_files();
  submix::log::start("submix", submix::log::Level::warning);
  submix::cli::PlainOutput out(std::cout);
  submix::cli::PlainOutput err(std::cerr);
  submix::cli::Context context{out, err, ::isatty(STDOUT_FILENO) == 1};
  context.screen = &std::cout;
  return submix::cli::run(argc, argv, context);
}
