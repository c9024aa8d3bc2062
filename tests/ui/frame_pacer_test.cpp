// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/frame_pacer.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

constexpr LocalTime kBegin(1h);

TEST(FramePacer, KeepsTheRateThoughEachFrameIsALittleLate) {
  FramePacer pacer;
  pacer.begin_frame(kBegin - kFramePeriod, kBegin);
  for (int i = 0; i < 600; ++i)
    pacer.begin_frame(pacer.next() + 900us);
  EXPECT_EQ(pacer.next(), kBegin + 600 * kFramePeriod);
}

TEST(FramePacer, MakesUpForALateFrameWithoutABurst) {
  FramePacer pacer;
  pacer.begin_frame(kBegin - kFramePeriod, kBegin);
  auto now = kBegin + 40ms;
  pacer.begin_frame(now);
  for (int i = 1; i < 20; ++i) {
    EXPECT_GE(pacer.next() - now, kFramePeriod / 2) << i;
    now = pacer.next();
    pacer.begin_frame(now);
  }
  EXPECT_EQ(pacer.next(), kBegin + 20 * kFramePeriod);
}

TEST(FramePacer, MakesUpForNoPause) {
  FramePacer pacer;
  pacer.begin_frame(kBegin - kFramePeriod, kBegin);
  pacer.begin_frame(kBegin + 5s);
  EXPECT_EQ(pacer.next(), kBegin + 5s + kFramePeriod);
}

TEST(FramePacer, LeavesAThirdOfTheTimeWhereFramesTakeLong) {
  FramePacer pacer;
  pacer.begin_frame(kBegin - kFramePeriod, kBegin);
  for (int i = 0; i < 100; ++i)
    pacer.took(20ms);
  pacer.begin_frame(kBegin);
  EXPECT_NEAR(static_cast<double>((pacer.next() - kBegin).count()), 30e6, 1e4);
}

TEST(FramePacer, LeavesThatThirdAlsoWhileTheMouseMoves) {
  FramePacer pacer;
  for (int i = 0; i < 100; ++i)
    pacer.took(20ms);
  pacer.begin_frame(kBegin, kBegin + 100ms);
  pacer.hurry(kBegin + 20ms);
  EXPECT_NEAR(static_cast<double>((pacer.next() - kBegin).count()), 30e6, 1e4);
}

TEST(FramePacer, IsNotSlowedByOneLongFrame) {
  FramePacer pacer;
  pacer.begin_frame(kBegin - kFramePeriod, kBegin);
  for (int i = 0; i < 100; ++i)
    pacer.took(5ms);
  pacer.took(30ms);
  pacer.begin_frame(kBegin);
  EXPECT_EQ(pacer.next(), kBegin + kFramePeriod);
}

TEST(FramePacer, DrawsAtOnceWhenSomebodyComesButNoFasterThanItsRate) {
  FramePacer pacer;
  pacer.begin_frame(kBegin, kBegin + 100ms);
  pacer.hurry(kBegin + 5ms);
  EXPECT_EQ(pacer.next(), kBegin + kFramePeriod);
  pacer.begin_frame(kBegin, kBegin + 100ms);
  pacer.hurry(kBegin + 40ms);
  EXPECT_EQ(pacer.next(), kBegin + 40ms);
  pacer.hurry(kBegin + 50ms);
  EXPECT_EQ(pacer.next(), kBegin + 40ms) << "it is due";
}

}  // namespace
}  // namespace submix::ui
