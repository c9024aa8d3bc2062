// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/frame_pool.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

namespace submix::media {
namespace {

constexpr Size kSmall{32, 16};

TEST(FramePool, IsEmptyWhenAllFramesAreOut) {
  FramePool pool(kSmall, 2);
  const auto first = pool.try_acquire();
  const auto second = pool.try_acquire();
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(pool.try_acquire());
}

TEST(FramePool, TakesASeatBackWhenTheLastCopyDies) {
  FramePool pool(kSmall, 1);
  Frame frame = std::move(*pool.try_acquire()).publish();
  std::optional<Frame> copy = frame;
  frame = Frame();
  EXPECT_EQ(pool.seats_free(), 0U);
  copy.reset();
  EXPECT_EQ(pool.seats_free(), 1U);
}

TEST(FramePool, AFrameCanBeDrawnOverByWhoeverHasItsOnlyReference) {
  FramePool pool(kSmall, 1);
  Frame frame = std::move(*pool.try_acquire()).publish();
  const auto* const place = frame.rgba().data();
  auto writable = frame.take_for_writing();
  EXPECT_FALSE(frame);
  ASSERT_TRUE(writable);
  EXPECT_EQ(writable->rgba().data(), place);
  writable.reset();
  EXPECT_EQ(pool.seats_free(), 1U);
}

TEST(FramePool, AFrameThatIsSharedIsNotDrawnOver) {
  FramePool pool(kSmall, 1);
  Frame frame = std::move(*pool.try_acquire()).publish();
  const Frame copy = frame;
  EXPECT_FALSE(frame.take_for_writing());
  EXPECT_TRUE(frame);
  EXPECT_FALSE(Frame().take_for_writing());
}

TEST(FramePool, FramesOutliveIt) {
  std::optional<FramePool> pool(std::in_place, kSmall, 1);
  auto writable = *pool->try_acquire();
  writable.rgba()[5] = 77;
  const Frame frame = std::move(writable).publish();
  pool.reset();
  EXPECT_EQ(frame.rgba()[5], 77);
}

TEST(FramePool, RowsHaveNoPaddingAndStartAligned) {
  FramePool pool({17, 16}, 3);
  std::vector<WritableFrame> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(*pool.try_acquire());
    EXPECT_EQ(held.back().rgba().size(), 17U * 16U * 4U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(held.back().rgba().data()) % 64, 0U);
  }
}

TEST(FramePool, WaitsForASeatThatAnotherThreadReturns) {
  FramePool pool(kSmall, 1);
  std::optional<Frame> frame = std::move(*pool.try_acquire()).publish();
  std::jthread consumer([&] { frame.reset(); });
  EXPECT_TRUE(pool.acquire_for(std::chrono::seconds(30)));
}

TEST(FramePool, SeatsRoundTripBetweenThreadsWithoutARace) {
  FramePool pool(kSmall, 2);
  for (int i = 0; i < 500; ++i) {
    auto writable = pool.acquire_for(std::chrono::seconds(30));
    ASSERT_TRUE(writable);
    writable->rgba()[0] = static_cast<std::uint8_t>(i);
    Frame frame = std::move(*writable).publish();
    std::jthread reader(
        [copy = frame, i] { EXPECT_EQ(copy.rgba()[0], static_cast<std::uint8_t>(i)); });
  }
}

}  // namespace
}  // namespace submix::media
