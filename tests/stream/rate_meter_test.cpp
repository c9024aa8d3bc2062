// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/rate_meter.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

class RateMeterTest : public ::testing::Test {
 protected:
  /// A busy link is looked at each millisecond.
  void carry(double bytes_per_second, std::chrono::milliseconds time) {
    for (auto end = now + time; now < end; now += 1ms) {
      meter.observe(now, {static_cast<std::uint64_t>(carried), 1'000'000, unsent_bytes});
      carried += bytes_per_second / 1000;
    }
  }
  void idle(std::chrono::milliseconds time) {
    now += time;
    meter.observe(now, {static_cast<std::uint64_t>(carried), 0, 0});
  }

  RateMeter meter;
  LocalTime now{};
  double carried = 0;
  std::uint64_t unsent_bytes = 500'000;
};

TEST_F(RateMeterTest, KnowsNothingBeforeTheFirstSample) {
  carry(1e8, 6ms);
  EXPECT_EQ(meter.bytes_per_second(), 0);
}

TEST_F(RateMeterTest, LeavesTheBurstAtABeginningOut) {
  carry(1e9, 2ms);
  carry(1e8, 10ms);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e3);
}

TEST_F(RateMeterTest, TakesAShortPeriodForALowerBound) {
  carry(1e8, 3ms);
  idle(0ms);
  EXPECT_GT(meter.bytes_per_second(), 0.9e8);
  carry(1e7, 3ms);
  idle(0ms);
  EXPECT_GT(meter.bytes_per_second(), 0.9e8);
}

TEST_F(RateMeterTest, MeasuresABusyLink) {
  carry(1e8, 10ms);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e3);
}

TEST_F(RateMeterTest, DoesNotCountIdleTime) {
  carry(1e8, 10ms);
  idle(500ms);
  carry(1e8, 10ms);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e3);
}

TEST_F(RateMeterTest, FollowsAChange) {
  carry(1e8, 20ms);
  carry(1e7, 30ms);
  EXPECT_LT(meter.bytes_per_second(), 1.5e7);
  carry(1e8, 30ms);
  EXPECT_GT(meter.bytes_per_second(), 0.9e8);
}

TEST_F(RateMeterTest, IsNotLoweredByALinkThatWasAskedForLittle) {
  carry(1e8, 20ms);
  unsent_bytes = 0;
  carry(1e7, 30ms);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e3);
  carry(2e8, 30ms);
  EXPECT_GT(meter.bytes_per_second(), 1.9e8);
}

TEST_F(RateMeterTest, LosesFaithInALinkThatStandsStill) {
  carry(1e8, 20ms);
  carry(0, 100ms);
  EXPECT_LT(meter.bytes_per_second(), 1e5);
}

TEST_F(RateMeterTest, KeepsTheRateOverAReconnect) {
  carry(1e8, 20ms);
  meter.restart();
  carried = 0;
  carry(1e8, 6ms);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e3);
}

}  // namespace
}  // namespace submix::stream
