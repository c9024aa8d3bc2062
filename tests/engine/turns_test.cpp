// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/turns.hpp"

#include "common/media/frame_pool.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace submix::engine {
namespace {

using Leave = Turns::Leave;

Finished finished(std::uint64_t position) {
  return {.position = position};
}

class TurnsOfThree : public ::testing::Test {
 protected:
  TurnsOfThree() { turns_.begin_at(7, 3); }
  Leave try_leave(std::uint64_t position) {
    auto frame = finished(position);
    return turns_.try_leave(frame);
  }
  // Of the next one; 0: it was not kept.
  std::uint64_t leave() {
    const auto next = turns_.leave();
    return next ? next->position : 0;
  }

  Turns turns_;
};

TEST_F(TurnsOfThree, KeepFramesUntilThoseBeforeHaveLeft) {
  EXPECT_EQ(try_leave(9), Leave::kept);
  EXPECT_EQ(try_leave(8), Leave::kept);
  EXPECT_EQ(try_leave(7), Leave::now);
  EXPECT_EQ(leave(), 8U);
  EXPECT_EQ(leave(), 9U);
  EXPECT_EQ(leave(), 0U);
  EXPECT_EQ(try_leave(10), Leave::now);
}

TEST_F(TurnsOfThree, PassAFrameByThatIsBeingMade) {
  EXPECT_EQ(try_leave(9), Leave::kept);
  EXPECT_EQ(try_leave(7), Leave::now);
  EXPECT_EQ(leave(), 0U) << "8 is not there";
  EXPECT_EQ(try_leave(8), Leave::now);
  EXPECT_EQ(leave(), 9U);
}

TEST_F(TurnsOfThree, KeepOneOfEachHandButTheLate) {
  EXPECT_EQ(try_leave(8), Leave::kept);
  EXPECT_EQ(try_leave(9), Leave::kept);
  EXPECT_EQ(try_leave(10), Leave::no_room);
  EXPECT_EQ(try_leave(7), Leave::now);
  EXPECT_EQ(leave(), 8U);
  EXPECT_EQ(try_leave(10), Leave::kept);
}

TEST_F(TurnsOfThree, LeaveAFrameWithItsHandWhereThereIsNoRoom) {
  media::FramePool pool({16, 16}, 1);
  EXPECT_EQ(try_leave(8), Leave::kept);
  EXPECT_EQ(try_leave(9), Leave::kept);
  Finished mine{.position = 10, .frame = std::move(*pool.try_acquire()).publish()};
  EXPECT_EQ(turns_.try_leave(mine), Leave::no_room);
  EXPECT_TRUE(mine.frame);
}

TEST_F(TurnsOfThree, EndTheWaitForRoom) {
  EXPECT_EQ(try_leave(8), Leave::kept);
  EXPECT_EQ(try_leave(9), Leave::kept);
  Leave waited = Leave::closed;
  {
    const std::jthread hand([&] {
      auto mine = finished(10);
      waited = turns_.wait_to_leave(mine);
    });
    EXPECT_EQ(try_leave(7), Leave::now);
    EXPECT_EQ(leave(), 8U);
  }
  EXPECT_EQ(waited, Leave::kept);
}

TEST_F(TurnsOfThree, LetGoOfWhatIsKeptWhenTheyEnd) {
  media::FramePool pool({16, 16}, 1);
  Finished kept{.position = 8, .frame = std::move(*pool.try_acquire()).publish()};
  EXPECT_EQ(turns_.try_leave(kept), Leave::kept);
  EXPECT_FALSE(pool.try_acquire());
  EXPECT_EQ(try_leave(9), Leave::kept);
  Leave waited = Leave::now;
  {
    const std::jthread hand([&] {
      auto mine = finished(10);
      waited = turns_.wait_to_leave(mine);
    });
    turns_.close();
  }
  EXPECT_EQ(waited, Leave::closed);
  EXPECT_TRUE(pool.try_acquire());
  EXPECT_EQ(try_leave(7), Leave::closed);
}

}  // namespace
}  // namespace submix::engine
