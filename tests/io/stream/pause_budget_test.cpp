// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/pause_budget.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::io {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

constexpr FrameRate kRate{50, 1};  // a frame lasts 20 ms
constexpr auto kWholeBudget = 500ms;
constexpr int kBacklog = 8;
constexpr int kToReturn = 50 + kBacklog;

class PauseBudgetTest : public ::testing::Test {
 protected:
  /// One frame of a performer that needs this time for each frame.
  void ask(nanoseconds comes_after) {
    const auto left = budget_.left(kWholeBudget, 0ms);
    if (budget_.is_attached() && comes_after < left) {
      budget_.take(comes_after);
      show_time_ += std::max<nanoseconds>(comes_after, 20ms);
    } else if (budget_.is_attached()) {
      budget_.replace(left);
      show_time_ += left;
    } else {
      budget_.replace(0ms);
      show_time_ += 20ms;
    }
  }
  void detach() { ASSERT_TRUE(budget_.replace(kWholeBudget)); }
  /// Frames needed to be attached again.
  int frames_until_attached() {
    int frames = 1;
    while (!budget_.take(0ms))
      ++frames;
    return frames;
  }

  PauseBudget budget_{kRate, kBacklog};
  nanoseconds show_time_{0};
};

TEST_F(PauseBudgetTest, IsAllThereForOneLongWait) {
  EXPECT_EQ(budget_.left(kWholeBudget, 0ms), kWholeBudget);
  EXPECT_EQ(budget_.left(kWholeBudget, 499ms), 1ms);
  EXPECT_TRUE(budget_.is_attached());
  EXPECT_TRUE(budget_.replace(kWholeBudget));
  EXPECT_FALSE(budget_.is_attached());
  EXPECT_FALSE(budget_.replace(0ms)) << "said once";
}

TEST_F(PauseBudgetTest, IsUsedUpByFramesThatAreEachALittleLate) {
  int frames = 0;
  for (; budget_.left(kWholeBudget, 80ms) > 0ms; ++frames)
    budget_.take(80ms);
  EXPECT_EQ(frames, 7) << "each is 60 ms late";
  EXPECT_EQ(budget_.left(kWholeBudget, 0ms), 80ms);
}

TEST_F(PauseBudgetTest, CostsTheShowNoMoreThanTheBudgetHoweverLongItsPerformerIsSlow) {
  constexpr int kFrames = 10'000;
  for (int i = 0; i < kFrames; ++i)
    ask(80ms);
  EXPECT_LE(show_time_, kFrames * 20ms + kWholeBudget);
}

TEST_F(PauseBudgetTest, IsNotTouchedByFramesThatTakeAsLongAsTheyLast) {
  for (int i = 0; i < 10'000; ++i)
    budget_.take(20ms);
  EXPECT_EQ(budget_.debt(), 0ms);
}

TEST_F(PauseBudgetTest, IsPaidBackByFramesThatComeSooner) {
  for (int i = 0; i < 1000; ++i) {  // bursts of a sender that keeps the rate
    budget_.take(200ms);
    for (int j = 0; j < 9; ++j)
      budget_.take(0ms);
  }
  EXPECT_EQ(budget_.debt(), 0ms);
}

TEST_F(PauseBudgetTest, OfNothingIsNeverWaitedFor) {
  EXPECT_LE(budget_.left(0ms, 0ms), 0ms);
  budget_.take(0ms);
  EXPECT_LE(budget_.left(0ms, 0ms), 0ms);
}

TEST_F(PauseBudgetTest, ComesBackWithASecondsFramesInARowAndThoseThatHadBackedUp) {
  detach();
  EXPECT_EQ(frames_until_attached(), kToReturn);
  EXPECT_EQ(budget_.left(kWholeBudget, 0ms), kWholeBudget) << "nothing is owed any more";
}

TEST_F(PauseBudgetTest, DoesNotComeBackForFramesThatHadBackedUpBehindASlowPerformer) {
  detach();
  for (int burst = 0; burst < 100; ++burst) {
    for (int i = 0; i < kBacklog; ++i)
      EXPECT_FALSE(budget_.take(0ms));
    EXPECT_FALSE(budget_.replace(0ms));
  }
  EXPECT_FALSE(budget_.is_attached());
  EXPECT_EQ(budget_.replaced(), 101U);
}

TEST_F(PauseBudgetTest, TakesTwiceAsLongToComeBackEachTimeItIsSoonGoneAgain) {
  for (const int frames : {kToReturn, 2 * kToReturn, 4 * kToReturn}) {
    detach();
    EXPECT_EQ(frames_until_attached(), frames);
  }
  for (int i = 0; i < 20; ++i) {
    detach();
    static_cast<void>(frames_until_attached());
  }
  detach();
  EXPECT_EQ(frames_until_attached(), 60 * 50) << "a minute at most";
  for (int i = 0; i < 60 * 50; ++i)
    budget_.take(0ms);
  detach();
  EXPECT_EQ(frames_until_attached(), kToReturn) << "it was good for a minute";
}

TEST_F(PauseBudgetTest, TellsForHowLongNoFrameHasCome) {
  budget_.take(80ms);
  EXPECT_EQ(budget_.silence(), 0ms);
  budget_.replace(300ms);
  budget_.replace(0ms);
  EXPECT_EQ(budget_.silence(), 320ms) << "a stand-in lasts as long as a frame";
  budget_.take(0ms);
  EXPECT_EQ(budget_.silence(), 0ms);
}

TEST_F(PauseBudgetTest, IsAsNewOnceItIsForgiven) {
  detach();
  budget_.forgive();
  EXPECT_TRUE(budget_.is_attached());
  EXPECT_EQ(budget_.left(kWholeBudget, 0ms), kWholeBudget);
  EXPECT_EQ(budget_.silence(), 0ms);
  detach();
  EXPECT_EQ(frames_until_attached(), kToReturn);
}

}  // namespace
}  // namespace submix::io
