// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/clip/clip_timeline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace submix::io {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;

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

// The clip jumped to wherever the frames played so far lay in the new range.
TEST(ClipTimeline, ShowsTheSameMomentWhenItsRangeMovesAroundIt) {
  ClipTimeline timeline(kRate);
  timeline.move_range({3.0 / 30, 7.0 / 30}, {25}, kTenPictures);
  const std::vector<int> expected{5, 6, 3, 4, 5, 6, 3};
  for (std::uint64_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(picture_at(timeline, 25 + i, kTenPictures), expected[i]);
  timeline.move_range({}, {31}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 31, kTenPictures), 3);
  EXPECT_EQ(picture_at(timeline, 37, kTenPictures), 9);
}

TEST(ClipTimeline, GoesOnInARangeAsIfItHadComeInTime) {
  ClipTimeline forwards(kRate);
  forwards.move_range({2.0 / 30, 4.0 / 30}, {5}, kTenPictures);  // 2 3 2 3 and not 2 3 4 5
  EXPECT_EQ(picture_at(forwards, 5, kTenPictures), 3);
  ClipTimeline backwards(kRate);
  backwards.set_speed(-1, {0});
  EXPECT_EQ(picture_at(backwards, 5, kTenPictures), 5);
  backwards.move_range({7.0 / 30, 9.0 / 30}, {5}, kTenPictures);  // 8 7 8 7 and not 8 7 6 5
  EXPECT_EQ(picture_at(backwards, 5, kTenPictures), 7);
}

TEST(ClipTimeline, EntersARangeAheadOfItAtItsNearEnd) {
  ClipTimeline timeline(kRate);
  timeline.move_range({6.0 / 30, 0}, {2}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 2, kTenPictures), 6);
  timeline.set_speed(-1, {2});
  timeline.move_range({1.0 / 30, 4.0 / 30}, {2}, kTenPictures);
  EXPECT_EQ(picture_at(timeline, 2, kTenPictures), 3);
}

/// A clip of 10 s at 30 frames/s; a tempo of 120 beats a minute has 15 frames a beat.
class ClipBeats : public ::testing::Test {
 protected:
  static constexpr ClipLength kTenSeconds{10, 1.0 / 30};
  static constexpr double kFew = 0.003;  // the slack for rounded timestamps, and more

  /// The moment of frame `index`, at which the show has `beats` beats.
  double moment(std::uint64_t index, double beats, double per_frame = 1.0 / 15) {
    timeline_.tell_beat({beats, per_frame}, {index}, kTenSeconds);
    return timeline_.seconds_at({index}, kTenSeconds);
  }
  void begin(double beats, double at_beat) {
    timeline_.set_beats(beats, {}, {});
    timeline_.tell_beat({at_beat, 1.0 / 15}, {}, kTenSeconds);
    timeline_.begin_at({});
  }

  ClipTimeline timeline_{kRate};
};

TEST_F(ClipBeats, LastsAsManyBeatsAsAreSet) {
  begin(8, 0);
  EXPECT_THAT((std::vector{moment(0, 0), moment(30, 2), moment(119, 119.0 / 15), moment(120, 8)}),
              ElementsAre(DoubleNear(0, kFew), DoubleNear(2.5, kFew),
                          DoubleNear(10 - 10.0 / 120, kFew), DoubleNear(0, kFew)));
  EXPECT_NEAR(timeline_.course_at({120}, kTenSeconds).step_seconds, 10.0 / 120, 1e-9);
}

TEST_F(ClipBeats, BeginsInPhaseWithTheBeatsWheneverItIsStarted) {
  begin(8, 3'400'000'002.0);
  EXPECT_NEAR(moment(0, 3'400'000'002.0), 2.5, kFew);
  timeline_.set_loop(false);
  timeline_.begin_at({});
  EXPECT_NEAR(moment(0, 3'400'000'002.0), 0, kFew) << "without a loop it has a beginning";
  EXPECT_NEAR(moment(120, 3'400'000'010.0), 10, kFew);
  EXPECT_NEAR(moment(240, 3'400'000'018.0), 10, kFew);
}

TEST_F(ClipBeats, FollowsTheTempoWithoutAJump) {
  begin(8, 0);
  EXPECT_NEAR(moment(60, 4), 5, kFew);
  EXPECT_NEAR(moment(60, 4, 1.0 / 10), 5, kFew);
  EXPECT_NEAR(moment(70, 5, 1.0 / 10), 6.25, kFew);
  EXPECT_NEAR(timeline_.course_at({70}, kTenSeconds).step_seconds, 0.125, 1e-9);
}

TEST_F(ClipBeats, FollowsABeatThatIsSet) {
  begin(8, 0);
  EXPECT_NEAR(moment(60, 4), 5, kFew);
  EXPECT_NEAR(moment(61, 5), 6.25, kFew);
}

TEST_F(ClipBeats, StandsStillWithTheBeats) {
  begin(8, 0);
  EXPECT_NEAR(moment(60, 4, 0), 5, kFew);
  EXPECT_NEAR(moment(900, 4, 0), 5, kFew);
  EXPECT_NEAR(moment(915, 5), 6.25, kFew);
}

TEST_F(ClipBeats, PlaysAsItsSpeedSaysWhereItIsToldNoBeatOrHasNoKnownLength) {
  timeline_.set_beats(8, {}, kTenSeconds);
  EXPECT_NEAR(timeline_.seconds_at({60}, kTenSeconds), 2, kFew);
  timeline_.tell_beat({4, 1.0 / 15}, {60}, {});
  EXPECT_NEAR(timeline_.seconds_at({90}, {}), 3, kFew);
  EXPECT_EQ(timeline_.lasting_beats(), 0);
}

TEST_F(ClipBeats, MovesByHalfABeatAtMostWhenTheBeatsAreSetSoThatItsLoopBeginsOnABeat) {
  EXPECT_NEAR(moment(66, 4.4), 2.2, kFew);
  timeline_.set_beats(10, {66}, kTenSeconds);  // a beat of the clip is a second
  EXPECT_NEAR(moment(66, 4.4), 2.4, kFew);
  EXPECT_NEAR(moment(180, 12), 0, kFew) << "it begins on a beat";
  timeline_.set_beats(20, {187}, kTenSeconds);
  EXPECT_NEAR(std::remainder(moment(195, 13), 0.5), 0, kFew);
  timeline_.set_beats(0, {195}, kTenSeconds);
  const double before = moment(195, 13);
  EXPECT_NEAR(moment(225, 15), before + 1, kFew) << "and plays on as its speed says";
}

TEST_F(ClipBeats, PlaysBackwardsAndStandsStillByTheSignOfItsSpeed) {
  timeline_.set_speed(-3, {});
  begin(10, 0);
  EXPECT_NEAR(moment(15, 1), 9, kFew);
  timeline_.set_speed(0, {15});
  EXPECT_NEAR(moment(20, 1 + 1.0 / 3), 9, kFew);
  timeline_.set_speed(1, {20});
  EXPECT_NEAR(moment(20, 1 + 1.0 / 3), 9 + 1.0 / 3, kFew) << "on the beats again";
  timeline_.set_speed(2, {20});
  EXPECT_NEAR(moment(30, 2), 0, kFew) << "only the sign counts";
}

TEST_F(ClipBeats, HoldForTheRangeThatPlays) {
  begin(10, 0);
  EXPECT_NEAR(moment(45, 3), 3, kFew);
  timeline_.move_range({2, 7}, {45}, kTenSeconds);  // a beat is half a second now
  EXPECT_NEAR(moment(45, 3), 3, kFew);
  EXPECT_NEAR(moment(60, 4), 3.5, kFew);
  EXPECT_NEAR(moment(165, 11), 2, kFew);
}

TEST_F(ClipBeats, LastsTwiceAsLongWhereTheSpeedWouldBeTooGreat) {
  begin(1, 0);  // 20 times as fast as recorded
  EXPECT_EQ(timeline_.lasting_beats(), 2);
  EXPECT_NEAR(moment(15, 1), 5, kFew);
  EXPECT_NEAR(moment(15, 1, 1.0 / 30), 0, kFew) << "a slower tempo: half a beat back to the beat";
  EXPECT_EQ(timeline_.lasting_beats(), 1);
}

TEST_F(ClipBeats, AJumpIsExact) {
  begin(10, 0);
  EXPECT_NEAR(moment(7, 7.0 / 15), 7.0 / 15, kFew);
  timeline_.jump_to(0, {7});
  EXPECT_NEAR(moment(7, 7.0 / 15), 0, kFew);
}

TEST_F(ClipBeats, AnotherFileBeginsWithItsFirstPicture) {
  constexpr ClipLength kFiveSeconds{5, 1.0 / 30};
  begin(10, 0);
  EXPECT_NEAR(moment(11, 11.0 / 15), 11.0 / 15, kFew);
  timeline_.jump_to(0, {11});
  timeline_.set_range({}, {11}, kFiveSeconds);
  EXPECT_NEAR(timeline_.seconds_at({11}, kFiveSeconds), 0, kFew);
  timeline_.tell_beat({12.0 / 15, 1.0 / 15}, {12}, kFiveSeconds);
  EXPECT_NEAR(timeline_.seconds_at({12}, kFiveSeconds), 0.5 / 15, kFew);
}

TEST_F(ClipBeats, AnOffsetStaysOnTheBeats) {
  begin(10, 0);
  timeline_.set_offset(3.3, {15}, kTenSeconds);
  EXPECT_NEAR(moment(15, 1), 4, kFew);
}

}  // namespace
}  // namespace submix::io
