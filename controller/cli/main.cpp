// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"
#include "common/base/standard_files.hpp"
#include "controller/cli/arguments.hpp"
#include "controller/cli/plain_output.hpp"

#include <poll.h>
#include <unistd.h>

#include <iostream>

namespace {

// A reader that has seen enough, such as `head`, is no failure.
bool is_reader_gone() {
  ::pollfd output{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

// A program that cannot write its output has failed: behind ">" may be a full disk.
int status_with_output(int status) {
  if (std::cout.flush() || is_reader_gone()) return status;
  std::cerr << "submix: the output cannot be written completely; is the disk full?" << std::endl;
  return status == submix::cli::kOk ? submix::cli::kFailed : status;
}

}  // namespace

int main(int argc, char** argv) {
  submix::open_standard_files();
  submix::log::start("submix", submix::log::Level::warning);
  submix::cli::PlainOutput out(std::cout);
  submix::cli::PlainOutput err(std::cerr);
  submix::cli::Context context{out, err, ::isatty(STDOUT_FILENO) == 1};
  context.screen = &std::cout;
  return status_with_output(submix::cli::run(argc, argv, context));
}
