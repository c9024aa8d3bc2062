// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/display_time.hpp"

#include <gtest/gtest.h>

namespace submix::io {
namespace {

using std::chrono::nanoseconds;
constexpr nanoseconds kSixtieth(16'666'667);

TEST(DisplayTime, GivesAFrameTheNearestNumberOfRefreshes) {
  EXPECT_EQ(DisplayTime::refreshes_for({60, 1}, kSixtieth), 1);
  EXPECT_EQ(DisplayTime::refreshes_for({30000, 1001}, kSixtieth), 2);
  EXPECT_EQ(DisplayTime::refreshes_for({25, 1}, kSixtieth), 2);
  EXPECT_EQ(DisplayTime::refreshes_for({10, 1}, kSixtieth), 6);
  EXPECT_EQ(DisplayTime::refreshes_for({240, 1}, kSixtieth), 1) << "no display shows less than one";
}

TEST(DisplayTime, IsNotKeptByADisplayThatDoesNotWait) {
  DisplayTime time;
  LocalTime now(std::chrono::hours(1));
  for (int i = 0; i <= DisplayTime::kHastyFramesMax; ++i) {
    EXPECT_TRUE(time.is_kept()) << i;
    time.shown(now, kSixtieth);
    now += kSixtieth / 10;
  }
  EXPECT_FALSE(time.is_kept());
  time.begin();
  EXPECT_TRUE(time.is_kept());
}

TEST(DisplayTime, SaysHowMuchLongerAFrameTookThanItsRefreshes) {
  DisplayTime time;
  LocalTime now(std::chrono::hours(1));
  EXPECT_EQ(time.shown(now, kSixtieth), std::nullopt) << "nothing says when the first one is due";
  EXPECT_EQ(time.shown(now += kSixtieth, kSixtieth), nanoseconds(0));
  EXPECT_EQ(time.shown(now += 2 * kSixtieth, kSixtieth), kSixtieth);
  EXPECT_EQ(time.shown(now += kSixtieth, kSixtieth), nanoseconds(0))
      << "the late one sets the time";
  EXPECT_EQ(time.shown(now += kSixtieth - nanoseconds(5), kSixtieth), nanoseconds(-5));
  time.forget_last();
  EXPECT_EQ(time.shown(now += std::chrono::hours(1), kSixtieth), std::nullopt);
}

TEST(DisplayTime, IsKeptWhereOnlyAFewFramesAreHasty) {
  DisplayTime time;
  LocalTime now(std::chrono::hours(1));
  for (int i = 0; i < 100; ++i) {
    time.shown(now, kSixtieth);
    now += i % 5 == 0 ? 2 * kSixtieth : kSixtieth / 10;
    EXPECT_TRUE(time.is_kept());
  }
}

}  // namespace
}  // namespace submix::io
