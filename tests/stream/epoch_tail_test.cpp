// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/epoch_tail.hpp"

#include "common/media/frame_pool.hpp"
#include "tests/stream/test_frames.hpp"

#include <gtest/gtest.h>

namespace submix::stream {
namespace {

constexpr Size kTailSize{64, 48};

TEST(EpochTail, GivesTheOldestFrameFirst) {
  media::FramePool pool(kTailSize, 2);
  EpochTail tail(2);
  tail.add(*testing::pattern_frame(pool, 7));
  tail.add(*testing::pattern_frame(pool, 8));
  EXPECT_EQ(tail.size(), 2U);
  EXPECT_TRUE(testing::has_pattern(tail.take_oldest(), 7));
  EXPECT_TRUE(testing::has_pattern(tail.take_oldest(), 8));
  EXPECT_TRUE(tail.is_empty());
}

TEST(EpochTail, CountsFramesInForeignMemory) {
  media::FramePool own(kTailSize, 1);
  EpochTail tail(2);
  tail.add(*testing::pattern_frame(own, 0));
  tail.add(testing::borrowed_frame(kTailSize, 1));
  EXPECT_EQ(tail.foreign_frames(), 1U);
}

TEST(EpochTail, KeepsItsFramesOutOfTheirPool) {
  media::FramePool pool(kTailSize, 1);
  EpochTail tail(1);
  tail.add(*testing::pattern_frame(pool, 0));
  EXPECT_FALSE(pool.try_acquire());
  static_cast<void>(tail.take_oldest());
  EXPECT_TRUE(pool.try_acquire());
}

}  // namespace
}  // namespace submix::stream
