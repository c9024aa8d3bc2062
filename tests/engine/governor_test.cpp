// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/governor.hpp"

#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace submix::engine {
namespace {

using std::chrono::milliseconds;

constexpr FrameRate kTen{10, 1};

TEST(Timetable, GivesAbsoluteDeadlines) {
  testing::ManualClock clock;
  Timetable timetable(kTen);
  const auto start = clock.now();
  EXPECT_EQ(timetable.due(0, start), start);
  EXPECT_EQ(timetable.due(1, start + milliseconds(7)), start + milliseconds(100));
  EXPECT_EQ(timetable.due(2, start + milliseconds(103)), start + milliseconds(200));
}

TEST(Timetable, MakesUpForASmallDelay) {
  testing::ManualClock clock;
  Timetable timetable(kTen);
  const auto start = clock.now();
  (void)timetable.due(0, start);
  EXPECT_EQ(timetable.due(1, start + milliseconds(180)), start + milliseconds(100));
  EXPECT_EQ(timetable.due(2, start + milliseconds(190)), start + milliseconds(200));
  EXPECT_EQ(timetable.moves(), 0U);
}

TEST(Timetable, MovesWhenAFrameIsLateByMoreThanAPeriodSoThatNoBurstFollows) {
  testing::ManualClock clock;
  Timetable timetable(kTen);
  const auto start = clock.now();
  (void)timetable.due(0, start);
  const auto late = start + milliseconds(201);
  EXPECT_EQ(timetable.due(1, late), late);
  EXPECT_EQ(timetable.due(2, late + milliseconds(1)), late + milliseconds(100));
  EXPECT_EQ(timetable.moves(), 1U);
}

/// A governor that the test asks directly.
class GovernorTest : public ::testing::Test {
 protected:
  bool may_pass(std::uint64_t position) {
    return governor_.ask(position, transport_.state(), clock_.now()).may_pass;
  }

  testing::ManualClock clock_;
  Transport transport_;
  Governor governor_{kTen, transport_, clock_};
};

TEST_F(GovernorTest, CanBeToldThatFramesHavePassedAtAnotherPace) {
  EXPECT_TRUE(may_pass(0));
  for (std::uint64_t position = 1; position < 500; ++position)
    ASSERT_TRUE(
        governor_.ask(position, transport_.state(), clock_.now(), plugin::Pace::display).may_pass);
  EXPECT_FALSE(may_pass(500));
  governor_.restart();
  EXPECT_TRUE(may_pass(500)) << "at once";
  EXPECT_FALSE(may_pass(501));
  EXPECT_EQ(governor_.late_frames(), 0U);
}

TEST_F(GovernorTest, BeginsItsTimetableAnewAfterFramesThatItWasNotAskedFor) {
  EXPECT_TRUE(may_pass(0));
  EXPECT_TRUE(may_pass(500)) << "faster than the show";
  EXPECT_FALSE(may_pass(501));
  clock_.advance(std::chrono::hours(1));
  EXPECT_TRUE(may_pass(600)) << "slower";
  EXPECT_FALSE(may_pass(601));
  EXPECT_EQ(governor_.late_frames(), 0U);
  EXPECT_EQ(governor_.missed_frames(), 0U);
}

TEST_F(GovernorTest, LetsAFrameThroughWhenItIsDue) {
  EXPECT_TRUE(may_pass(0));
  EXPECT_FALSE(may_pass(1));
  clock_.advance(milliseconds(100));
  EXPECT_TRUE(may_pass(1));
}

TEST_F(GovernorTest, CountsHowLateFramesPassedButNotThoseThatSetTheTime) {
  using telemetry::jitter_bucket;
  EXPECT_TRUE(may_pass(0));
  clock_.advance(milliseconds(107));
  EXPECT_TRUE(may_pass(1));
  EXPECT_TRUE(may_pass(1)) << "another slot";
  EXPECT_FALSE(may_pass(2));
  clock_.advance(milliseconds(93));
  EXPECT_TRUE(may_pass(2));
  clock_.advance(milliseconds(350));
  EXPECT_TRUE(may_pass(3));
  transport_.pause();
  clock_.advance(std::chrono::hours(1));
  transport_.resume();
  EXPECT_TRUE(may_pass(4));
  telemetry::JitterReading expected{{}, milliseconds(250)};
  for (const int late : {7, 0, 250})
    ++expected.frames[jitter_bucket(milliseconds(late))];
  EXPECT_EQ(governor_.jitter(), expected);
  EXPECT_EQ(governor_.late_frames(), 1U);
  EXPECT_EQ(governor_.late_frame(), 3U);
}

TEST_F(GovernorTest, CountsFramesThatMissedTheirDeadlinesByMoreThanAWakeUp) {
  EXPECT_TRUE(may_pass(0));
  clock_.advance(milliseconds(104));
  EXPECT_TRUE(may_pass(1));
  EXPECT_EQ(governor_.missed_frames(), 0U);
  clock_.advance(milliseconds(101));
  EXPECT_TRUE(may_pass(2)) << "5 ms late";
  EXPECT_EQ(governor_.missed_frames(), 1U);
  EXPECT_EQ(governor_.missed_frame(), 2U);
  clock_.advance(milliseconds(350));
  EXPECT_TRUE(may_pass(3)) << "and it sets the time";
  EXPECT_EQ(governor_.missed_frames(), 2U);
}

TEST(MissTolerance, IsAQuarterOfAFramesTimeWhereThatIsShort) {
  EXPECT_EQ(miss_tolerance(FrameRate{60, 1}), milliseconds(4));
  EXPECT_EQ(miss_tolerance(FrameRate{1, 1}), milliseconds(4));
  EXPECT_EQ(miss_tolerance(FrameRate{250, 1}), milliseconds(1));
}

TEST_F(GovernorTest, LetsOtherSlotsCatchUpAtOnce) {
  EXPECT_TRUE(may_pass(0));
  clock_.advance(milliseconds(100));
  EXPECT_TRUE(may_pass(1));
  transport_.pause();
  EXPECT_TRUE(may_pass(0));
  EXPECT_TRUE(may_pass(1));
  EXPECT_FALSE(may_pass(2));
}

TEST_F(GovernorTest, LetsExactlyOneFrameThroughForEachStep) {
  transport_.pause();
  EXPECT_FALSE(may_pass(0));
  transport_.step();
  EXPECT_TRUE(may_pass(0));
  EXPECT_TRUE(may_pass(0));  // another slot
  EXPECT_FALSE(may_pass(1));
  transport_.step();
  transport_.step();
  EXPECT_TRUE(may_pass(1));
  EXPECT_TRUE(may_pass(2));
  EXPECT_FALSE(may_pass(3));
}

TEST_F(GovernorTest, LetsFramesOfADisplaysPaceThroughAtOnceButNotInAPause) {
  const auto may_pass_display = [&](std::uint64_t position) {
    return governor_.ask(position, transport_.state(), clock_.now(), plugin::Pace::display)
        .may_pass;
  };
  EXPECT_TRUE(may_pass_display(0));
  EXPECT_TRUE(may_pass_display(1)) << "the display says when";
  transport_.pause();
  EXPECT_FALSE(may_pass_display(2));
  transport_.step();
  EXPECT_TRUE(may_pass_display(2));
  EXPECT_FALSE(may_pass_display(3));
  transport_.resume();
  EXPECT_TRUE(may_pass_display(3));
  EXPECT_EQ(governor_.late_frames(), 0U);
}

TEST_F(GovernorTest, ForgetsStepsOfAnEarlierPause) {
  transport_.pause();
  transport_.step();
  transport_.resume();
  transport_.pause();
  EXPECT_FALSE(may_pass(0));
}

TEST_F(GovernorTest, GoesOnAtOnceAfterAPauseWithoutABurstOrALateFrame) {
  EXPECT_TRUE(may_pass(0));
  transport_.pause();
  EXPECT_FALSE(may_pass(1));
  clock_.advance(std::chrono::hours(2));
  transport_.resume();
  EXPECT_TRUE(may_pass(1));
  EXPECT_FALSE(may_pass(2));
  EXPECT_EQ(governor_.late_frames(), 0U);
}

TEST_F(GovernorTest, MadeDuringAPauseTakesNoStepThatCameBefore) {
  transport_.pause();
  transport_.step();
  Governor younger(kTen, transport_, clock_);
  EXPECT_FALSE(younger.ask(0, transport_.state(), clock_.now()).may_pass);
}

TEST(Transport, CountsStepsOnlyWhilePaused) {
  Transport transport;
  transport.step();
  EXPECT_EQ(transport.state().steps, 0U);
  transport.follow(false, 5);
  transport.follow(true, 7);  // the step came with the pause: their order is unknown
  EXPECT_EQ(transport.state().steps, 0U);
  transport.follow(true, 9);
  EXPECT_EQ(transport.state().steps, 2U);
  transport.follow(true, 9);
  EXPECT_EQ(transport.state().steps, 2U);
  transport.follow(false, 9);
  EXPECT_FALSE(transport.state().is_paused);
}

TEST(Transport, EndsAWaitWhenAskedToStop) {
  const Transport transport;
  std::stop_source stop;
  std::jthread waiting([&] { transport.wait(transport.state(), std::nullopt, stop.get_token()); });
  stop.request_stop();
}

}  // namespace
}  // namespace submix::engine
