// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/course.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace submix::io {
namespace {

constexpr double kStep = 0.125;  // exact in binary, so that no figure is rounded

/// From 2 s to 4 s of a file; now at 3 s.
Course course(double speed, bool is_looping = true) {
  return {.seconds = 3,
          .step_seconds = kStep * speed,
          .in_seconds = 2,
          .out_seconds = 4,
          .is_looping = is_looping};
}

TEST(Course, GoesAroundItsLoopOnceInBothDirections) {
  EXPECT_EQ(course(1).moment(7), 3.875);
  EXPECT_EQ(course(1).moment(8), 2);
  EXPECT_EQ(course(1).moment(16), 3);
  EXPECT_EQ(course(1).moment(17), std::nullopt);
  EXPECT_EQ(course(-1).moment(8), 2);
  EXPECT_EQ(course(-1).moment(9), 3.875);
  EXPECT_EQ(course(-1).moment(17), std::nullopt);
}

TEST(Course, EndsWithoutALoop) {
  EXPECT_EQ(course(1, false).moment(7), 3.875);
  EXPECT_EQ(course(1, false).moment(8), std::nullopt);
  EXPECT_EQ(course(-1, false).moment(8), 2);
  EXPECT_EQ(course(-1, false).moment(9), std::nullopt);
}

TEST(Course, GoesOnWhereTheEndIsNotKnown) {
  const Course endless{.seconds = 1, .step_seconds = kStep};
  EXPECT_EQ(endless.moment(8000), 1001);
  EXPECT_EQ(endless.moment(std::numeric_limits<double>::infinity()), std::nullopt);
}

TEST(Course, CountsTheFramesUntilAPictureShows) {
  EXPECT_EQ(course(1).frames_until(3, 3.125), 0);
  EXPECT_EQ(course(1).frames_until(3.5, 3.625), 4);
  EXPECT_EQ(course(1).frames_until(2.5, 2.625), 12) << "around the loop";
  EXPECT_EQ(course(-1).frames_until(2.5, 2.625), 4);
  EXPECT_EQ(course(-1).frames_until(3.5, 3.625), 12);
  EXPECT_TRUE(std::isinf(course(1, false).frames_until(2.5, 2.625))) << "passed";
  EXPECT_TRUE(std::isinf(course(1).frames_until(1, 2))) << "outside the points";
}

TEST(Course, ShowsAPictureBetweenTwoFramesAtTheEarliestTheNextTimeAround) {
  EXPECT_EQ(course(4).frames_until(3.5, 3.625), 1);
  EXPECT_GT(course(4).frames_until(3.625, 3.75), 1000);
  EXPECT_EQ(course(-4).frames_until(2.5, 2.625), 1);
  EXPECT_GT(course(-4).frames_until(2.625, 2.75), 1000);
}

TEST(Course, CountsTheFramesWithinAPicture) {
  EXPECT_EQ(course(1).frames_within(3, 3, 3.5), 4);
  EXPECT_EQ(course(0.5).frames_within(3.25, 3, 3.5), 4);
  EXPECT_EQ(course(-1).frames_within(3.25, 3, 3.5), 3);
  EXPECT_EQ(course(16).frames_within(3, 3, 3.125), 1);
  EXPECT_EQ(course(1).frames_within(3.875, 3.75, 9), 1) << "the out point cuts it off";
}

TEST(Course, GoesOnSlowlyWhenFrozen) {
  EXPECT_GT(course(0).moment(1), 3);
  EXPECT_LT(course(0).moment(1), 3.1);
  EXPECT_EQ(course(0).frames_until(3, 3.125), 0);
}

}  // namespace
}  // namespace submix::io
