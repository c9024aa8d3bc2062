// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/standard_files.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>

namespace submix {
namespace {

// With a closed error output, the log goes into the next file or connection that is opened.
TEST(StandardFiles, LeaveTheirNumbersToNoOtherFile) {
  EXPECT_EXIT(
      {
        for (const int closed : {STDIN_FILENO, STDERR_FILENO})
          ::close(closed);
        open_standard_files();
        const int next = ::socket(AF_UNIX, SOCK_STREAM, 0);
        const bool is_inherited = ::fcntl(STDERR_FILENO, F_GETFD) == 0;
        std::exit(next > STDERR_FILENO && is_inherited ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace submix
