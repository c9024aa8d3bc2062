// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace submix::log {
namespace {

using ::testing::HasSubstr;

/// What systemd sets $JOURNAL_STREAM to if it has connected stderr to the journal.
std::string stream_of_stderr() {
  struct stat status{};
  ::fstat(STDERR_FILENO, &status);
  return fmt::format("{}:{}", status.st_dev, status.st_ino);
}

TEST(Log, LetsNobodysTextSteerTheTerminalOrForgeALine) {
  ::testing::internal::CaptureStderr();
  start("test", Level::info);
  warning("node {}", "\x1b]0;OWNED\x07mix\n12:00:00.000 forged line");
  const auto written = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, HasSubstr("node �]0;OWNED�mix\n  12:00:00.000 forged line\n"));
}

TEST(Log, GivesEachLineItsPriorityInTheJournal) {
  ::testing::internal::CaptureStderr();
  ::setenv("JOURNAL_STREAM", stream_of_stderr().c_str(), 1);
  start("test", Level::debug);
  debug("one");
  info("two");
  warning("three\nlines\n<0>of it");
  error("four");
  ::unsetenv("JOURNAL_STREAM");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "<7>one\n<6>two\n<4>three\n<4>  lines\n<4>  <0>of it\n<3>four\n");
}

TEST(Log, GivesNoPrioritiesWhereStderrHasLeftTheJournal) {
  ::testing::internal::CaptureStderr();
  ::setenv("JOURNAL_STREAM", "1:2", 1);
  start("test", Level::info);
  warning("lost");
  ::unsetenv("JOURNAL_STREAM");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr(" test warning lost\n"));
}

}  // namespace
}  // namespace submix::log
