// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::log {
namespace {

using ::testing::HasSubstr;

TEST(Log, LetsNobodysTextSteerTheTerminalOrForgeALine) {
  ::testing::internal::CaptureStderr();
  start("test", Level::info);
  warning("node {}", "\x1b]0;OWNED\x07mix\n12:00:00.000 forged line");
  const auto written = ::testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, HasSubstr("node �]0;OWNED�mix\n  12:00:00.000 forged line\n"));
}

}  // namespace
}  // namespace submix::log
