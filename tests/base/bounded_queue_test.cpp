// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/bounded_queue.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <thread>

namespace submix {
namespace {

TEST(BoundedQueue, GivesItemsInTheOrderTheyCame) {
  BoundedQueue<int> queue(3);
  EXPECT_TRUE(queue.push(1));
  EXPECT_TRUE(queue.push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), 2);
}

TEST(BoundedQueue, LeavesARefusedItemWithItsOwner) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  EXPECT_TRUE(queue.try_push(std::make_unique<int>(1)));
  auto item = std::make_unique<int>(2);
  EXPECT_FALSE(queue.try_push(std::move(item)));
  ASSERT_NE(item, nullptr);
  EXPECT_EQ(*item, 2);
}

TEST(BoundedQueue, DrainsAfterClose) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.push(1));
  queue.close();
  EXPECT_FALSE(queue.push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, ReleasesAWaitingProducerOnClose) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(1));
  bool pushed = true;
  std::jthread producer([&] { pushed = queue.push(2); });
  queue.close();
  producer.join();
  EXPECT_FALSE(pushed);
}

TEST(BoundedQueue, ReleasesAWaitingConsumerForOtherNews) {
  BoundedQueue<int> queue(1);
  std::atomic<bool> is_news = false;
  std::optional<int> item = 7;
  std::jthread consumer([&] { item = queue.pop_unless([&] { return is_news.load(); }); });
  is_news = true;
  queue.nudge();
  consumer.join();
  EXPECT_EQ(item, std::nullopt);
}

TEST(BoundedQueue, GivesWhatItHasWhateverTheNewsAre) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(5));
  EXPECT_EQ(queue.pop_unless([] { return true; }), 5);
}

TEST(BoundedQueue, CarriesEveryItemBetweenTwoThreads) {
  constexpr int kItems = 20000;
  BoundedQueue<int> queue(4);
  std::jthread producer([&] {
    for (int i = 0; i < kItems; ++i) {
      if (!queue.push(i)) return;
    }
    queue.close();
  });
  int expected = 0;
  while (const auto item = queue.pop())
    ASSERT_EQ(*item, expected++);
  EXPECT_EQ(expected, kItems);
}

}  // namespace
}  // namespace submix
