// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/clip_timeline.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace submix::io {
namespace {

constexpr FrameRate kRate{30, 1};
constexpr ClipLength kTenPictures{10.0 / 30, 1.0 / 30};

/// Number of the last picture that begins at or before the moment of frame `index`.
int picture_at(const ClipTimeline& timeline, std::uint64_t index, ClipLength length) {
  return static_cast<int>(
      std::floor(timeline.seconds_at({index}, length) / length.picture_seconds));
}

TEST(ClipTimeline, ShowsOnePictureAFrameAtEqualRates) {
  const ClipTimeline timeline(kRate);
  for (std::uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(picture_at(timeline, i, kTenPictures), static_cast<int>(i));
}

TEST(ClipTimeline, ShowsItsBeginningAtTheFirstFrameOfALateSlot) {
  ClipTimeline timeline(kRate);
  timeline.set_loop(false);
  timeline.begin_at({100000});
  for (std::uint64_t i = 0; i < 10; ++i)
    EXPECT_EQ(picture_at(timeline, 100000 + i, kTenPictures), static_cast<int>(i));
}

TEST(ClipTimeline, AnOffsetShowsEveryFrameLaterInTheClip) {
  ClipTimeline timeline(kRate);
  timeline.set_offset(4.0 / 30, {0}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 0, kTenPictures), 4);
  EXPECT_EQ(picture_at(timeline, 7, kTenPictures), 1) << "it loops";
  timeline.set_offset(-1.0 / 30, {0}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 0, kTenPictures), 9);
  timeline.set_speed(0, {4});
  timeline.set_offset(5.0 / 30, {90}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 90, kTenPictures), 9) << "a frozen clip shows another picture";
}

TEST(ClipTimeline, AClipThatHasPlayedToItsEndGoesOnFromThere) {
  ClipTimeline timeline(kRate);
  timeline.set_loop(false);
  EXPECT_EQ(picture_at(timeline, 500, kTenPictures), 9);
  timeline.set_offset(-6.0 / 30, {500}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 500, kTenPictures), 4);
  EXPECT_EQ(picture_at(timeline, 502, kTenPictures), 6);
  timeline.set_offset(-9.0 / 30, {502}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 502, kTenPictures), 3);
}

TEST(ClipTimeline, AnOffsetFromAnEarlierLifeDoesNotHoldTheBeginning) {
  ClipTimeline timeline(kRate);
  timeline.set_loop(false);
  timeline.set_offset(-120, {}, {});
  timeline.begin_at({1000});
  timeline.set_offset(-120, {1000}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 1000, kTenPictures), 0);
  EXPECT_EQ(picture_at(timeline, 1003, kTenPictures), 3);
}

TEST(ClipTimeline, LoopsExactlyForDays) {
  const ClipTimeline timeline(kRate);
  constexpr std::uint64_t kThreeDays = 3ULL * 24 * 3600 * 30;
  for (const std::uint64_t start : {std::uint64_t{10}, std::uint64_t{9990}, kThreeDays}) {
    for (std::uint64_t i = start; i < start + 20; ++i)
      EXPECT_EQ(picture_at(timeline, i, kTenPictures), static_cast<int>(i % 10)) << i;
  }
}

TEST(ClipTimeline, LoopsExactlyAtRatesThatAreNotWhole) {
  const ClipTimeline timeline({30000, 1001});
  const ClipLength length{77 * 1001.0 / 30000, 1001.0 / 30000};
  for (std::uint64_t i = 1'000'000; i < 1'000'200; ++i)
    EXPECT_EQ(picture_at(timeline, i, length), static_cast<int>(i % 77)) << i;
}

TEST(ClipTimeline, HoldsTheLastPictureWithoutALoop) {
  ClipTimeline timeline(kRate);
  timeline.set_loop(false);
  EXPECT_EQ(picture_at(timeline, 9, kTenPictures), 9);
  EXPECT_EQ(picture_at(timeline, 10, kTenPictures), 9);
  EXPECT_EQ(picture_at(timeline, 100'000, kTenPictures), 9);
}

TEST(ClipTimeline, RunsWithoutAnEndWhileItIsNotKnown) {
  const ClipTimeline timeline(kRate);
  EXPECT_EQ(picture_at(timeline, 1000, {0, 1.0 / 30}), 1000);
}

TEST(ClipTimeline, PlaysFromTheInPointUpToTheOutPoint) {
  ClipTimeline timeline(kRate);
  timeline.set_range({0.1, 0.2});
  const std::vector<int> expected{3, 4, 5, 3, 4, 5, 3};
  for (std::uint64_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(picture_at(timeline, i, kTenPictures), expected[i]);
}

TEST(ClipTimeline, KeepsOnePictureOfARangeBeyondTheEnd) {
  ClipTimeline timeline(kRate);
  timeline.set_range({50, 60});
  EXPECT_EQ(picture_at(timeline, 7, kTenPictures), 9);
}

TEST(ClipTimeline, AppliesTheSpeed) {
  ClipTimeline timeline(kRate);
  timeline.set_speed(2, {0});
  EXPECT_EQ(picture_at(timeline, 3, kTenPictures), 6);
  timeline.set_speed(0.5, {0});
  ClipTimeline half(kRate);
  half.set_speed(0.5, {0});
  EXPECT_EQ(picture_at(half, 3, kTenPictures), 1);
  EXPECT_EQ(picture_at(half, 4, kTenPictures), 2);
}

TEST(ClipTimeline, DoesNotJumpWhenTheSpeedChanges) {
  ClipTimeline timeline(kRate);
  timeline.set_speed(0, {5});
  EXPECT_EQ(picture_at(timeline, 5, kTenPictures), 5);
  EXPECT_EQ(picture_at(timeline, 500, kTenPictures), 5);
  timeline.set_speed(1, {500});
  EXPECT_EQ(picture_at(timeline, 502, kTenPictures), 7);
}

TEST(ClipTimeline, GoesBackBeyondWhereTheSpeedChanged) {
  ClipTimeline timeline(kRate);
  timeline.set_speed(2, {3});
  EXPECT_EQ(picture_at(timeline, 2, kTenPictures), 1);
  EXPECT_EQ(picture_at(timeline, 0, kTenPictures), 7);  // 3 - 6 pictures, and the loop
}

}  // namespace
}  // namespace submix::io
