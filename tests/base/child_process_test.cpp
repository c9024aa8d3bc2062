// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/child_process.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

namespace submix {
namespace {

TEST(ChildProcess, NamesAProgramThatIsNotThere) {
  const auto child = ChildProcess::start({"submix-no-such-program"}, {});
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().message,
            "submix-no-such-program: cannot be started: No such file or directory");
}

TEST(ChildProcess, WritesBothOutputsToItsLogFile) {
  const testing::TemporaryFolder folder;
  auto child = ChildProcess::start({"sh", "-c", "echo out; echo err >&2; exit 3"}, folder / "log");
  ASSERT_TRUE(child.has_value());
  while (!child->exit_status()) {
  }
  EXPECT_EQ(child->exit_status(), 3);
  EXPECT_EQ(read_text_file(folder / "log").value(), "out\nerr\n");
}

// `submix desk` waited without end for a reader of a pipe in the place of its server's log.
TEST(ChildProcess, DoesNotWaitForAReaderOfItsLogFile) {
  const testing::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "log").c_str(), 0600), 0);
  const auto child = ChildProcess::start({"true"}, folder / "log");
  ASSERT_FALSE(child.has_value());
  EXPECT_EQ(child.error().message,
            (folder / "log").string() + ": cannot be written: No such device or address");
}

TEST(ChildProcess, EndsAChildThatIgnoresTheFirstSignal) {
  const testing::TemporaryFolder folder;
  const auto ready = folder / "ready";
  auto child = ChildProcess::start(
      {"sh", "-c", "trap '' TERM; touch " + ready.string() + "; while :; do sleep 0.01; done"}, {});
  ASSERT_TRUE(child.has_value());
  while (!std::filesystem::exists(ready))
    ASSERT_FALSE(child->exit_status());
  EXPECT_EQ(child->terminate(std::chrono::milliseconds(0)), 128 + SIGKILL);
}

TEST(ChildProcess, IsOutOfReachOfTheTerminalsSignals) {
  auto child = ChildProcess::start({"sleep", "60"}, {});
  ASSERT_TRUE(child.has_value());
  EXPECT_EQ(::getpgid(child->pid()), child->pid());
}

TEST(ChildProcess, ReadsNothing) {
  auto child = ChildProcess::start({"sh", "-c", "! read line"}, {});
  ASSERT_TRUE(child.has_value());
  while (!child->exit_status()) {
  }
  EXPECT_EQ(child->exit_status(), 0);
}

}  // namespace
}  // namespace submix
