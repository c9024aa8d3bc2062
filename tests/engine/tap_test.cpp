// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/tap.hpp"

#include "common/media/frame_pool.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>

namespace submix::engine {
namespace {

using std::chrono::milliseconds;

class TapOfAStage : public ::testing::Test {
 protected:
  void publish() { tap_.publish(std::move(*pool_.try_acquire()).publish(), now_); }

  media::FramePool pool_{{16, 16}, 2};
  Tap tap_;
  LocalTime now_{std::chrono::hours(1)};
};

TEST_F(TapOfAStage, TakesTheFirstFrame) {
  EXPECT_TRUE(tap_.is_due(now_));
}

TEST_F(TapOfAStage, LeavesFramesAloneWhileNobodyLooks) {
  publish();
  EXPECT_FALSE(tap_.is_due(now_ + milliseconds(16)));
}

TEST_F(TapOfAStage, IsRenewedAFewTimesASecondAllTheSame) {
  publish();
  EXPECT_TRUE(tap_.is_due(now_ + Tap::kRenewal));
}

TEST_F(TapOfAStage, TakesEachFrameOnceSomebodyHasLooked) {
  publish();
  EXPECT_TRUE(tap_.latest());
  EXPECT_TRUE(tap_.is_due(now_ + milliseconds(16)));
  publish();
  EXPECT_TRUE(tap_.is_due(now_ + milliseconds(32)));
}

TEST_F(TapOfAStage, LeavesThemAloneAgainSomeTimeAfterTheLastLook) {
  publish();
  static_cast<void>(tap_.latest());
  EXPECT_TRUE(tap_.is_due(now_));
  now_ += Tap::kWatched;
  publish();
  EXPECT_FALSE(tap_.is_due(now_ + milliseconds(16)));
}

TEST_F(TapOfAStage, MakesItsPicturesSmallAndSaysWhichFrameTheyAreOf) {
  EXPECT_FALSE(tap_.picture(8));
  auto writable = pool_.try_acquire();
  writable->stamp().index = {7};
  tap_.publish(std::move(*writable).publish(), now_);
  EXPECT_EQ(tap_.picture(8)->image.size, (Size{8, 8}));
  EXPECT_EQ(tap_.picture(0)->image.size, (Size{16, 16}));
  EXPECT_EQ(tap_.picture(8)->stamp.index.value, 7U);
  EXPECT_TRUE(tap_.is_due(now_ + milliseconds(16))) << "somebody has looked";
}

TEST_F(TapOfAStage, HasNothingOnceItIsCleared) {
  publish();
  tap_.clear();
  EXPECT_FALSE(tap_.latest());
  EXPECT_FALSE(tap_.kept());
  EXPECT_EQ(pool_.seats_free(), 2U);
}

TEST_F(TapOfAStage, IsNotLookedAtByItsStage) {
  publish();
  EXPECT_TRUE(tap_.kept());
  EXPECT_FALSE(tap_.is_due(now_ + milliseconds(16)));
}

}  // namespace
}  // namespace submix::engine
