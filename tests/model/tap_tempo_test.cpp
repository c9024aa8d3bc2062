// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/tap_tempo.hpp"

#include "common/show/document.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

TEST(TapTempoTest, IsTheRateOfAtLeastThreeTaps) {
  TapTempo taps;
  const LocalTime start{10s};
  EXPECT_FALSE(taps.tap(start));
  EXPECT_TRUE(taps.has_begun());
  EXPECT_FALSE(taps.tap(start + 500ms));
  EXPECT_FALSE(taps.has_begun());
  EXPECT_EQ(taps.tap(start + 1000ms), 120.0);
  EXPECT_EQ(taps.tap(start + 1560ms), 115.4) << "all taps count alike";
}

TEST(TapTempoTest, ForgetsAllButTheLastEightBeats) {
  TapTempo taps;
  LocalTime now{10s};
  static_cast<void>(taps.tap(now));
  for (int i = 0; i < 4; ++i)
    static_cast<void>(taps.tap(now += 1000ms));
  for (int i = 0; i < 7; ++i)
    static_cast<void>(taps.tap(now += 500ms));
  EXPECT_EQ(taps.tap(now += 500ms), 120.0);
}

TEST(TapTempoTest, BeginsAnewAfterAPause) {
  TapTempo taps;
  for (const auto at : {0ms, 500ms, 1000ms})
    static_cast<void>(taps.tap(LocalTime(at)));
  EXPECT_FALSE(taps.tap(LocalTime(4s)));
  EXPECT_TRUE(taps.has_begun());
}

TEST(TapTempoTest, StaysWithinTheShowsLimits) {
  TapTempo taps;
  EXPECT_FALSE(taps.tap(LocalTime(1s)));
  EXPECT_FALSE(taps.tap(LocalTime(1s)));
  EXPECT_FALSE(taps.tap(LocalTime(1s))) << "no time has passed";
  EXPECT_EQ(taps.tap(LocalTime(1s + 1ms)), show::kBeatsPerMinuteMax);
}

}  // namespace
}  // namespace submix::model
