// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/stop_signal.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace submix {
namespace {

using namespace std::chrono_literals;

/// Changes how this process handles SIGHUP, and restores the handling at the end.
class StopSignalTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::pthread_sigmask(SIG_SETMASK, nullptr, &mask_);
    ::sigaction(SIGHUP, nullptr, &hangup_);
  }
  void TearDown() override {
    ::sigaction(SIGHUP, &hangup_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  }

 private:
  sigset_t mask_{};
  struct sigaction hangup_{};
};

TEST_F(StopSignalTest, IsAnyOfThoseThatEndAProgramAndStays) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    StopSignal stop;
    EXPECT_FALSE(stop.wait_for(0ms));
    ::raise(signal);
    EXPECT_EQ(stop.wait_for(0ms), signal);
    EXPECT_EQ(stop.wait_for(0ms), signal);
  }
}

TEST_F(StopSignalTest, IsNoHangupUnderNohup) {
  std::signal(SIGHUP, SIG_IGN);
  StopSignal stop;
  ::raise(SIGHUP);
  EXPECT_FALSE(stop.wait_for(0ms));
}

}  // namespace
}  // namespace submix
