// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/responsiveness.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

class ResponsivenessTest : public ::testing::Test {
 protected:
  /// Turns that take `busy` each `period`, for `time`.
  void live(std::chrono::milliseconds time, std::chrono::milliseconds busy,
            std::chrono::milliseconds period = 20ms) {
    for (const auto end = now_ + time; now_ < end; now_ += period)
      meter_.add_turn(now_, now_ + busy);
  }
  void be_busy(std::chrono::milliseconds time) {
    meter_.add_turn(now_, now_ + time);
    now_ += time;
  }

  LocalTime now_ = LocalTime(1h);
  Responsiveness meter_;
};

TEST_F(ResponsivenessTest, KnowsNothingBeforeTheFirstTurn) {
  EXPECT_EQ(meter_.figures().unresponsive, 0U);
  EXPECT_EQ(meter_.figures().watched, 0ns);
}

TEST_F(ResponsivenessTest, CountsNoIntervalOfManyShortTurns) {
  live(10min, 19ms);
  EXPECT_EQ(meter_.figures().unresponsive_all, 0U);
  EXPECT_EQ(meter_.figures().unresponsive_p99, 0U);
  EXPECT_EQ(meter_.figures().longest, 19ms);
}

TEST_F(ResponsivenessTest, CountsAnIntervalForEachTenthOfASecondThatATurnTakes) {
  live(1s, 5ms);
  be_busy(99ms);
  EXPECT_EQ(meter_.figures().unresponsive, 0U);
  be_busy(100ms);
  EXPECT_EQ(meter_.figures().unresponsive, 1U);
  be_busy(450ms);
  EXPECT_EQ(meter_.figures().unresponsive, 5U);
}

TEST_F(ResponsivenessTest, ForgetsAfterThirtySecondsWhatItHasCounted) {
  be_busy(1s);
  live(29s, 5ms);
  EXPECT_EQ(meter_.figures().unresponsive, 10U);
  live(2s, 5ms);
  EXPECT_EQ(meter_.figures().unresponsive, 0U);
  EXPECT_EQ(meter_.figures().unresponsive_all, 10U);
}

TEST_F(ResponsivenessTest, TellsTheNinetyNinthPercentileOfAllWindows) {
  be_busy(2s);  // part of about 30 windows
  live(30min, 5ms);
  EXPECT_EQ(meter_.figures().unresponsive_p99, 20U) << "in more than one of a hundred";
  live(60min, 5ms);
  EXPECT_EQ(meter_.figures().unresponsive_p99, 0U);
}

TEST_F(ResponsivenessTest, SleepsThroughANightWithoutALongReckoning) {
  be_busy(3s);
  now_ += 12h;
  live(1s, 5ms);
  EXPECT_EQ(meter_.figures().unresponsive, 0U);
  EXPECT_EQ(meter_.figures().unresponsive_all, 30U);
}

TEST_F(ResponsivenessTest, IsNotConfusedByTurnsThatOverlapOrRunBackwards) {
  be_busy(500ms);
  meter_.add_turn(now_ - 10s, now_ - 9s);
  meter_.add_turn(now_ + 5ms, now_);
  EXPECT_EQ(meter_.figures().unresponsive, 5U);
}

TEST(FrameTimes, TellMedianAndExtremesOfTheLatest) {
  FrameTimes times;
  EXPECT_EQ(times.figures().p99, 0ns);
  for (int i = 1; i <= 100; ++i)
    times.add(std::chrono::milliseconds(i));
  EXPECT_EQ(times.figures().p50, 50ms);
  EXPECT_EQ(times.figures().p99, 99ms);
  EXPECT_EQ(times.figures().max, 100ms);
  for (std::size_t i = 0; i < FrameTimes::kKept; ++i)
    times.add(1ms);
  EXPECT_EQ(times.figures().max, 1ms) << "older ones are forgotten";
  EXPECT_EQ(times.figures().count, 100 + FrameTimes::kKept);
}

}  // namespace
}  // namespace submix::ui
