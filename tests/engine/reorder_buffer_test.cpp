// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/reorder_buffer.hpp"

#include "common/media/frame_pool.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <fstream>
#include <string>
#include <thread>

namespace submix::engine {
namespace {

using Delivery = ReorderBuffer::Delivery;

FinishedFrame finished(std::uint64_t position) {
  return {.position = position};
}

class ReorderBufferOfThree : public ::testing::Test {
 protected:
  ReorderBufferOfThree() { order_.begin_at(7, 3); }
  Delivery try_deliver(std::uint64_t position) {
    auto frame = finished(position);
    return order_.try_deliver(frame);
  }
  // Position of the next frame; 0: it was not held back.
  std::uint64_t delivered() {
    const auto next = order_.delivered();
    return next ? next->position : 0;
  }

  ReorderBuffer order_;
};

TEST_F(ReorderBufferOfThree, KeepFramesUntilThoseBeforeHaveLeft) {
  EXPECT_EQ(try_deliver(9), Delivery::held_back);
  EXPECT_EQ(try_deliver(8), Delivery::held_back);
  EXPECT_EQ(try_deliver(7), Delivery::now);
  EXPECT_EQ(delivered(), 8U);
  EXPECT_EQ(delivered(), 9U);
  EXPECT_EQ(delivered(), 0U);
  EXPECT_EQ(try_deliver(10), Delivery::now);
}

TEST_F(ReorderBufferOfThree, PassAFrameByThatIsBeingMade) {
  EXPECT_EQ(try_deliver(9), Delivery::held_back);
  EXPECT_EQ(try_deliver(7), Delivery::now);
  EXPECT_EQ(delivered(), 0U) << "8 is not there";
  EXPECT_EQ(try_deliver(8), Delivery::now);
  EXPECT_EQ(delivered(), 9U);
}

TEST_F(ReorderBufferOfThree, KeepsOneOfEachWorkerButTheLate) {
  EXPECT_EQ(try_deliver(8), Delivery::held_back);
  EXPECT_EQ(try_deliver(9), Delivery::held_back);
  EXPECT_EQ(try_deliver(10), Delivery::not_yet);
}

// Otherwise, where readers set the pace, a worker would do nothing but deliver.
TEST_F(ReorderBufferOfThree, KeepNoneWhileOthersLeave) {
  EXPECT_EQ(try_deliver(8), Delivery::held_back);
  EXPECT_EQ(try_deliver(7), Delivery::now);
  EXPECT_EQ(try_deliver(9), Delivery::not_yet);
  EXPECT_EQ(delivered(), 8U);
  EXPECT_EQ(try_deliver(9), Delivery::not_yet);
  EXPECT_EQ(try_deliver(10), Delivery::not_yet);
  EXPECT_EQ(delivered(), 0U);
  EXPECT_EQ(try_deliver(10), Delivery::held_back);
  EXPECT_EQ(try_deliver(9), Delivery::now);
}

TEST_F(ReorderBufferOfThree, LeavesAFrameWithItsWorkerWhereItIsNotYet) {
  media::FramePool pool({16, 16}, 1);
  EXPECT_EQ(try_deliver(8), Delivery::held_back);
  EXPECT_EQ(try_deliver(9), Delivery::held_back);
  FinishedFrame mine{.position = 10, .frame = std::move(*pool.try_acquire()).publish()};
  EXPECT_EQ(order_.try_deliver(mine), Delivery::not_yet);
  EXPECT_TRUE(mine.frame);
}

TEST_F(ReorderBufferOfThree, GoRoundFirst) {
  for (std::size_t worker = 0; worker < 3; ++worker) {
    EXPECT_FALSE(order_.try_take((worker + 1) % 3));
    EXPECT_TRUE(order_.try_take(worker));
    order_.end_taking(false);
  }
  EXPECT_TRUE(order_.try_take(0)) << "and then whoever comes";
}

// The kernel's state of a thread of this process.
bool is_asleep(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("State:")) return line.find('S', 6) != std::string::npos;
  }
  return false;
}

// Worker 1 goes first sooner if it is woken in time.
TEST_F(ReorderBufferOfThree, PassNobodyByForLong) {
  for (std::size_t worker = 0; worker < 3; ++worker) {
    ASSERT_TRUE(order_.try_take(worker));
    order_.end_taking(false);
  }
  ASSERT_TRUE(order_.try_take(0));
  std::atomic<pid_t> thread = 0;
  const std::jthread waits([&] {
    thread = ::gettid();
    EXPECT_TRUE(order_.take(1));
    order_.end_taking(true);
  });
  while (!is_asleep(thread))
    std::this_thread::yield();
  std::uint64_t times = 0;
  do
    order_.end_taking(false);
  while (++times <= ReorderBuffer::kPassedOverMax && order_.try_take(0));
  EXPECT_LE(times, ReorderBuffer::kPassedOverMax);
}

// Many rounds each: chance decides if the other worker waits already.
constexpr int kTimes = 50;

TEST(ReorderBuffer, EndTheWaitForRoomWhenAKeptFrameHasLeft) {
  for (int time = 0; time < kTimes; ++time) {
    ReorderBuffer buffer;
    buffer.begin_at(7, 3);
    auto eight = finished(8);
    auto ten = finished(10);
    ASSERT_EQ(buffer.try_deliver(eight), Delivery::held_back);
    ASSERT_EQ(buffer.try_deliver(ten), Delivery::held_back);
    const std::jthread late([&] {
      EXPECT_EQ(buffer.delivered()->position, 8U);
      EXPECT_FALSE(buffer.delivered());
    });
    auto eleven = finished(11);
    EXPECT_EQ(buffer.wait_to_deliver(eleven), Delivery::held_back);
  }
}

TEST(ReorderBuffer, EndTheWaitForRoomWhenItIsItsTurn) {
  for (int time = 0; time < kTimes; ++time) {
    ReorderBuffer buffer;
    buffer.begin_at(7, 3);
    auto nine = finished(9);
    auto ten = finished(10);
    ASSERT_EQ(buffer.try_deliver(nine), Delivery::held_back);
    ASSERT_EQ(buffer.try_deliver(ten), Delivery::held_back);
    const std::jthread late([&] { EXPECT_FALSE(buffer.delivered()); });
    auto eight = finished(8);
    EXPECT_EQ(buffer.wait_to_deliver(eight), Delivery::now);
    EXPECT_EQ(buffer.delivered()->position, 9U);
  }
}

TEST(ReorderBuffer, LetGoOfWhatIsKeptAndOfWhoWaitsWhenTheyEnd) {
  for (int time = 0; time < kTimes; ++time) {
    media::FramePool pool({16, 16}, 1);
    ReorderBuffer buffer;
    buffer.begin_at(7, 2);
    FinishedFrame kept{.position = 8, .frame = std::move(*pool.try_acquire()).publish()};
    ASSERT_EQ(buffer.try_deliver(kept), Delivery::held_back);
    EXPECT_FALSE(pool.try_acquire());
    {
      const std::jthread owner([&] { buffer.close(); });
      auto waits = finished(9);
      EXPECT_EQ(buffer.wait_to_deliver(waits), Delivery::closed);
    }
    EXPECT_TRUE(pool.try_acquire());
    auto seven = finished(7);
    EXPECT_EQ(buffer.try_deliver(seven), Delivery::closed);
  }
}

}  // namespace
}  // namespace submix::engine
