// SPDX-License-Identifier: GPL-3.0-or-later
// The program itself: what it does where its output goes nowhere.
#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace submix::cli {
namespace {

/// The exit status of a line of the shell, and what it writes to its error output.
std::pair<int, std::string> outcome_of(const std::string& line) {
  const testing::TemporaryFolder folder;
  auto shell = ChildProcess::start({"sh", "-c", line}, folder / "log");
  if (!shell) return {-1, shell.error().message};
  while (!shell->exit_status())
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return {*shell->exit_status(), read_text_file(folder / "log").value_or("")};
}

// `submix show save - > FILE` on a full disk left half a show and said 0: done.
TEST(SubmixProgram, FailsWhereItsOutputCannotBeWritten) {
  const auto [status, text] = outcome_of(std::string(SUBMIX_PROGRAM) + " --version >/dev/full");
  EXPECT_EQ(status, 1);
  EXPECT_EQ(text, "submix: the output cannot be written completely; is the disk full?\n");
}

TEST(SubmixProgram, IsDoneWhereItsOutputIsClosed) {
  EXPECT_EQ(outcome_of(std::string(SUBMIX_PROGRAM) + " --version >&-").first, 0);
}

}  // namespace
}  // namespace submix::cli
