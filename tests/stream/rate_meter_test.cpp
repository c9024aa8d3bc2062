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
  /// A busy link is observed each millisecond. Its bytes are acknowledged in lumps.
  void carry(double bytes_per_second, std::chrono::milliseconds time) {
    for (auto end = now + time; now < end; now += 1ms) {
      const auto known = static_cast<std::uint64_t>(carried) / lump_bytes * lump_bytes;
      meter.observe(now, {known, queued_bytes, unsent_bytes, round_trip});
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
  std::uint64_t lump_bytes = 1;
  std::uint64_t queued_bytes = 1'000'000;
  std::uint64_t unsent_bytes = 500'000;
  std::chrono::microseconds round_trip{0};
};

TEST_F(RateMeterTest, KnowsNothingBeforeTheFirstSample) {
  carry(1e8, 5ms);
  EXPECT_EQ(meter.bytes_per_second(), 0);
}

TEST_F(RateMeterTest, LeavesTheBurstAtABeginningOut) {
  carry(1e9, 1ms);
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

TEST_F(RateMeterTest, TellsWhatAFullLinkHasCarried) {
  carry(1e8, 10ms);
  const auto& [bytes, time] = meter.full();
  ASSERT_GT(time, 4ms);
  EXPECT_NEAR(static_cast<double>(bytes) / std::chrono::duration<double>(time).count(), 1e8, 1e3);
}

TEST_F(RateMeterTest, CountsNoTimeInWhichNothingWaited) {
  unsent_bytes = 0;
  carry(1e7, 20ms);
  EXPECT_EQ(meter.full().time, 0ns);
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
  carry(2e8, 60ms);
  EXPECT_GT(meter.bytes_per_second(), 1.9e8);
}

TEST_F(RateMeterTest, LosesFaithInALinkThatStandsStill) {
  carry(1e8, 20ms);
  carry(0, 100ms);
  EXPECT_LT(meter.bytes_per_second(), 1e6);  // it may be as slow as one lump in that time
}

TEST_F(RateMeterTest, IsNotMisledByLumps) {
  lump_bytes = 65536;
  for (int frame = 0; frame < 40; ++frame) {
    carry(1.2e7, 31ms);
    idle(2ms);
    EXPECT_NEAR(meter.bytes_per_second(), 1.2e7, frame < 3 ? 6e6 : 3e6) << "frame " << frame;
  }
}

TEST_F(RateMeterTest, MeasuresAWayThatHoldsLessThanIsOnIt) {
  unsent_bytes = 0;
  round_trip = 100us;
  carry(1e8, 5ms);
  idle(1ms);
  EXPECT_NEAR(meter.bytes_per_second(), 1e8, 1e6);
  EXPECT_TRUE(meter.measured_at());
  carry(2e7, 30ms);
  EXPECT_NEAR(meter.bytes_per_second(), 2e7, 5e6);
}

TEST_F(RateMeterTest, AsksNothingOfALongWayBeforeItsFirstAcknowledgement) {
  unsent_bytes = 0;
  round_trip = 20ms;
  queued_bytes = 100'000;
  carry(0, 20ms);
  carry(1e8, 4ms);
  idle(1ms);
  EXPECT_GE(meter.bytes_per_second(), 1e7);
  carry(0, 20ms);
  EXPECT_GE(meter.bytes_per_second(), 1e7);
}

TEST_F(RateMeterTest, DoesNotTakeTheGapBetweenTwoFramesOnALongWayForASlowLink) {
  round_trip = 10ms;
  carry(1e8, 30ms);
  unsent_bytes = 0;
  for (; queued_bytes > 0; queued_bytes -= 100'000)  // the end of a frame is in flight
    carry(1e8, 1ms);
  queued_bytes = 500'000;  // the next frame begins before the arrival of the last is known
  unsent_bytes = 400'000;
  for (int frame_ms = 0; frame_ms < 14; ++frame_ms) {
    carry(frame_ms < 10 ? 0 : 1e8, 1ms);
    EXPECT_NEAR(meter.bytes_per_second(), 1e8, 5e6) << frame_ms << " ms after its beginning";
  }
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
