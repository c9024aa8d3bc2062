// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/frame_window.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

constexpr auto kPeriod = 10ms;

class FrameWindowTest : public ::testing::Test {
 protected:
  // Frames at the show's rate, all with the same spare time.
  void use(int frames, std::chrono::nanoseconds spare) {
    for (int i = 0; i < frames; ++i) {
      now_ += kPeriod;
      window_.note(spare, now_);
    }
  }
  void narrow_to(std::uint64_t frames) {
    while (window_.frames() > frames)
      use(1, 16ms);
  }

  FrameWindow window_{1, 6};
  LocalTime now_{100s};
};

TEST_F(FrameWindowTest, BeginsAtItsGreatestSize) {
  EXPECT_EQ(window_.frames(), 6U);
}

TEST_F(FrameWindowTest, NarrowsByAllFramesToSpareAtOnceButNoSoonerThanAfterASecond) {
  use(95, 36ms);
  EXPECT_EQ(window_.frames(), 6U);
  use(10, 36ms);
  EXPECT_EQ(window_.frames(), 3U);
}

TEST_F(FrameWindowTest, KeepsAQuarterOfAFramesTimeToSpare) {
  use(500, 12ms);
  EXPECT_EQ(window_.frames(), 6U);
  use(500, 13ms);
  EXPECT_LT(window_.frames(), 6U);
}

TEST_F(FrameWindowTest, IsNarrowedOnlyByWhatTheFrameWithTheLeastHadToSpare) {
  for (int i = 0; i < 10; ++i) {
    use(30, 50ms);
    use(1, 5ms);
  }
  EXPECT_EQ(window_.frames(), 6U);
}

TEST_F(FrameWindowTest, NeverGetsNarrowerThanItsLeastSize) {
  use(5'000, 1s);
  EXPECT_EQ(window_.frames(), 1U);
}

TEST_F(FrameWindowTest, ALateFrameWidensItOnce) {
  use(5'000, 1s);
  use(1, -20ms);
  EXPECT_EQ(window_.frames(), 2U);
}

TEST_F(FrameWindowTest, FramesUnderWayAtAChangeDoNotWidenItAgain) {
  use(5'000, 1s);
  use(3, -20ms);
  EXPECT_EQ(window_.frames(), 2U) << "the second frame was begun with the former window";
  use(1, -20ms);
  EXPECT_EQ(window_.frames(), 3U);
}

TEST_F(FrameWindowTest, LateFramesOneAfterTheOtherWidenItToItsGreatestSizeAndNoFurther) {
  use(5'000, 1s);
  use(100, -20ms);
  EXPECT_EQ(window_.frames(), 6U);
}

TEST_F(FrameWindowTest, ALateWakeUpIsNoLateness) {
  use(5'000, 1s);
  use(100, -400us);
  EXPECT_EQ(window_.frames(), 1U);
}

TEST_F(FrameWindowTest, ALateFrameTakesAllFormerEvidenceAway) {
  use(90, 36ms);
  use(1, -1ms);
  use(90, 36ms);
  EXPECT_EQ(window_.frames(), 6U);
}

TEST_F(FrameWindowTest, ANarrowingThatProvedWrongIsTriedAgainOnlyAfterTwiceTheTime) {
  narrow_to(5);
  use(10, -1ms);
  ASSERT_EQ(window_.frames(), 6U);
  use(150, 16ms);
  EXPECT_EQ(window_.frames(), 6U);
  use(60, 16ms);
  EXPECT_EQ(window_.frames(), 5U);
}

TEST_F(FrameWindowTest, NewLimitsHoldAtOnce) {
  window_.set_limits(2, 4);
  EXPECT_EQ(window_.frames(), 4U);
  use(5'000, 1s);
  EXPECT_EQ(window_.frames(), 2U);
}

TEST_F(FrameWindowTest, AtItsGreatestSizeItGrowsWithIt) {
  window_.set_limits(1, 8);
  EXPECT_EQ(window_.frames(), 8U);
  narrow_to(7);
  window_.set_limits(1, 9);
  EXPECT_EQ(window_.frames(), 7U);
}

TEST_F(FrameWindowTest, BeginsAnewAtItsGreatestSizeWithoutEvidence) {
  narrow_to(3);
  use(90, 36ms);
  window_.begin_anew();
  EXPECT_EQ(window_.frames(), 6U);
  use(90, 36ms);
  EXPECT_EQ(window_.frames(), 6U);
  use(20, 36ms);
  EXPECT_EQ(window_.frames(), 3U);
}

TEST_F(FrameWindowTest, AStepInAPauseNeitherNarrowsNorWidensIt) {
  narrow_to(4);
  use(95, 36ms);
  for (const auto spare : {1s, -1s, 1s, -1s}) {
    now_ += 1s;
    use(1, spare);
    EXPECT_EQ(window_.frames(), 4U);
  }
  use(95, 36ms);
  EXPECT_EQ(window_.frames(), 4U) << "what was seen before the pause no longer counts";
  use(10, 36ms);
  EXPECT_EQ(window_.frames(), 1U);
}

TEST_F(FrameWindowTest, AGapThatTheWidestWindowWouldBridgeWidensIt) {
  narrow_to(4);
  use(20, 16ms);
  now_ += 50ms;
  use(1, -50ms);
  EXPECT_EQ(window_.frames(), 5U);
}

TEST_F(FrameWindowTest, AWindowThatCannotChangeStays) {
  FrameWindow fixed(3, 3);
  for (int i = 0; i < 1'000; ++i)
    EXPECT_FALSE(fixed.note(i % 2 == 0 ? -20ms : 1s, now_ += kPeriod));
  EXPECT_EQ(fixed.frames(), 3U);
}

}  // namespace
}  // namespace submix::stream
