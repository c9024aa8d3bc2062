// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/telemetry/time_shares.hpp"

#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

namespace submix::telemetry {
namespace {

enum class Work { busy, idle, count };

TEST(TimeShares, SumToTheTimeThatPassed) {
  testing::ManualClock clock;
  TimeShares<Work> shares(Work::idle, clock.now());
  clock.advance(std::chrono::milliseconds(3));
  shares.enter(Work::busy, clock.now());
  clock.advance(std::chrono::milliseconds(5));
  shares.enter(Work::idle, clock.now());
  clock.advance(std::chrono::milliseconds(2));

  const auto totals = shares.totals(clock.now());
  EXPECT_EQ(totals[0], std::chrono::milliseconds(5));
  EXPECT_EQ(totals[1], std::chrono::milliseconds(5));
}

}  // namespace
}  // namespace submix::telemetry
