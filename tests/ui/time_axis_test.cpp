// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/time_axis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace submix::ui {
namespace {

using ::testing::ElementsAre;

constexpr TimeLimits kLimits{.begin = 0, .end = 600, .shown_min = 2};

TEST(TimeAxis, MovesByAShareOfItsLength) {
  EXPECT_EQ(dragged({100, 200}, 0.5, kLimits), (TimeAxis{150, 250}));
  EXPECT_EQ(dragged({100, 200}, -0.5, kLimits), (TimeAxis{50, 150}));
}

TEST(TimeAxis, StopsAtWhatThereIs) {
  EXPECT_EQ(dragged({100, 200}, -5, kLimits), (TimeAxis{0, 100}));
  EXPECT_EQ(dragged({100, 200}, 50, kLimits), (TimeAxis{500, 600}));
}

TEST(TimeAxis, ZoomsAroundWhatIsBelowTheMouse) {
  const TimeAxis axis{100, 200};
  const auto closer = zoomed(axis, 0.5, 0.25, kLimits);
  EXPECT_DOUBLE_EQ(closer.seconds(), 50);
  EXPECT_DOUBLE_EQ(closer.time_at(0.25), axis.time_at(0.25));
}

TEST(TimeAxis, ZoomsNoFurtherThanItsLimits) {
  EXPECT_EQ(zoomed({100, 200}, 1000, 0.5, kLimits), (TimeAxis{0, 600}));
  const auto closest = zoomed({100, 200}, 1e-6, 0.5, kLimits);
  EXPECT_DOUBLE_EQ(closest.seconds(), 2);
  EXPECT_DOUBLE_EQ(closest.begin, 149);
}

TEST(TimeAxis, ComesBackWhereItWasAfterZoomingInAndOut) {
  const auto axis = zoomed(zoomed({100, 200}, 0.5, 0.3, kLimits), 2, 0.3, kLimits);
  EXPECT_NEAR(axis.begin, 100, 1e-9);
  EXPECT_NEAR(axis.end, 200, 1e-9);
}

TEST(TimeAxis, IsAsLongAsItMayBeWhereThereIsLessToSee) {
  EXPECT_EQ(within({-50, 50}, {.begin = 0, .end = 1, .shown_min = 2}), (TimeAxis{0, 2}));
}

TEST(NiceStep, IsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_DOUBLE_EQ(nice_step(10, 10), 1);
  EXPECT_DOUBLE_EQ(nice_step(11, 10), 2);
  EXPECT_DOUBLE_EQ(nice_step(300, 10), 50);
  EXPECT_DOUBLE_EQ(nice_step(0.07, 10), 0.01);
  EXPECT_DOUBLE_EQ(nice_step(90, 10), 10);
}

TEST(NiceStep, TakesWhatIsNoRangeForOne) {
  EXPECT_EQ(nice_step(0, 10), 1);
  EXPECT_EQ(nice_step(-5, 10), 1);
  EXPECT_EQ(nice_step(std::numeric_limits<double>::quiet_NaN(), 10), 1);
}

TEST(NiceTimeStep, CountsInHalfMinutesAndMinutesWhereSecondsAreTooMany) {
  EXPECT_DOUBLE_EQ(nice_time_step(60, 10), 10);
  EXPECT_DOUBLE_EQ(nice_time_step(240, 10), 30);
  EXPECT_DOUBLE_EQ(nice_time_step(600, 10), 60);
  EXPECT_DOUBLE_EQ(nice_time_step(600, 4), 300);
}

TEST(Ticks, AreTheMultiplesOfAStep) {
  EXPECT_THAT(ticks(9, 31, 10), ElementsAre(10, 20, 30));
  EXPECT_THAT(ticks(10, 30, 10), ElementsAre(10, 20, 30));
  EXPECT_THAT(ticks(11, 19, 10), ElementsAre());
}

TEST(Ticks, AreBounded) {
  EXPECT_EQ(ticks(0, 1e12, 1).size(), 1000U);
  EXPECT_TRUE(ticks(0, 10, 0).empty());
}

TEST(NiceMaximum, HasRoomForTheGreatest) {
  EXPECT_DOUBLE_EQ(nice_maximum(41.5), 60);
  EXPECT_DOUBLE_EQ(nice_maximum(100), 100);
  EXPECT_DOUBLE_EQ(nice_maximum(0.031), 0.04);
  EXPECT_EQ(nice_maximum(0), 1);
  EXPECT_EQ(nice_maximum(std::numeric_limits<double>::infinity()), 1);
}

TEST(TimeOfDayText, HasDecimalsWhereStepsAreBelowASecond) {
  EXPECT_EQ(time_of_day_text(14 * 3600 + 2 * 60 + 5, 1), "14:02:05");
  EXPECT_EQ(time_of_day_text(5.5, 0.5), "00:00:05.5");
  EXPECT_EQ(time_of_day_text(5.02, 0.01), "00:00:05.02");
}

TEST(TimeOfDayText, RoundsRatherThanShowsASecondTooLittle) {
  EXPECT_EQ(time_of_day_text(59.9999999, 10), "00:01:00");
}

TEST(TimeOfDayText, GoesOnAtMidnight) {
  EXPECT_EQ(time_of_day_text(86'401, 1), "00:00:01");
  EXPECT_EQ(time_of_day_text(-1, 1), "23:59:59");
}

}  // namespace
}  // namespace submix::ui
