// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/packet_delay.hpp"
#include "tests/throughput/testbed.hpp"
#include "tests/throughput/wire_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <random>

namespace submix::throughput {
namespace {

using namespace std::chrono_literals;

const LocalTime kBegin = LocalTime() + 1h;

/// A packet of `bytes`, all equal to `mark`.
bool put(PacketDelay& delay, std::size_t bytes, std::uint8_t mark, LocalTime now) {
  const auto room = delay.room();
  if (room.empty()) return false;
  std::fill_n(room.begin(), bytes, mark);
  delay.put(bytes, now);
  return true;
}

TEST(PacketDelay, LetsEachPacketOutAfterItsDelayInOrder) {
  PacketDelay delay(5ms, 4 * PacketDelay::kPacketBytesMax);
  EXPECT_FALSE(delay.due());
  ASSERT_TRUE(put(delay, 100, 1, kBegin));
  ASSERT_TRUE(put(delay, 200, 2, kBegin + 1ms));
  EXPECT_EQ(delay.due(), kBegin + 5ms);
  EXPECT_EQ(delay.front().size(), 100U);
  delay.pop();
  EXPECT_EQ(delay.due(), kBegin + 6ms);
  EXPECT_EQ(delay.front().size(), 200U);
  EXPECT_EQ(delay.front()[199], 2);
  delay.pop();
  EXPECT_FALSE(delay.due());
}

TEST(PacketDelay, TakesNothingWhileItIsFull) {
  PacketDelay delay(5ms, 2 * PacketDelay::kPacketBytesMax);
  ASSERT_TRUE(put(delay, PacketDelay::kPacketBytesMax, 1, kBegin));
  ASSERT_TRUE(put(delay, PacketDelay::kPacketBytesMax, 2, kBegin));
  EXPECT_TRUE(delay.room().empty());
  delay.pop();
  EXPECT_FALSE(delay.room().empty());
  EXPECT_EQ(delay.front()[0], 2);
}

TEST(PacketDelay, KeepsEveryByteRoundItsRing) {
  PacketDelay delay(5ms, 5 * PacketDelay::kPacketBytesMax);
  std::mt19937 random(20121117);  // fixed: a failure can be repeated
  std::deque<std::size_t> held;
  std::uint8_t next_in = 0;
  std::uint8_t next_out = 0;
  for (int i = 0; i < 10'000; ++i) {
    if (const auto bytes = 1 + random() % PacketDelay::kPacketBytesMax;
        random() % 2 == 0 && put(delay, bytes, next_in, kBegin)) {
      held.push_back(bytes);
      ++next_in;
    }
    if (random() % 2 == 0 || held.empty()) continue;
    const auto packet = delay.front();
    ASSERT_EQ(packet.size(), held.front());
    ASSERT_TRUE(std::all_of(packet.begin(), packet.end(), [&](auto byte) {
      return byte == next_out;
    })) << i;
    delay.pop();
    held.pop_front();
    ++next_out;
  }
}

TEST(LeastSeconds, AddsNothingWhereNoWayHasADelay) {
  EXPECT_DOUBLE_EQ(least_seconds(std::array{LinkCapacity{100, 0}, LinkCapacity{50, 0}}, 300), 2);
  EXPECT_DOUBLE_EQ(least_seconds(std::array{LinkCapacity{100, 0.5}}, 300), 3.5);
}

TEST(LeastSeconds, LetsAllWaysThatTakePartEndTogether) {
  // 100 * 2.5 + 50 * (2.5 - 1.5) = 300
  EXPECT_DOUBLE_EQ(least_seconds(std::array{LinkCapacity{50, 1.5}, LinkCapacity{100, 0}}, 300),
                   2.5);
}

TEST(LeastSeconds, LeavesAWayOutThatIsTooLongToHelp) {
  EXPECT_DOUBLE_EQ(least_seconds(std::array{LinkCapacity{100, 0}, LinkCapacity{1000, 3}}, 300), 3);
}

TEST(Testbed, RefusesACableThatWouldHoldTooMuch) {
  const auto testbed = Testbed::namespaces(1, {{100'000'000'000}}, {200ms});
  ASSERT_FALSE(testbed);
  if (testbed.error().message.find("network namespaces") != std::string::npos)
    GTEST_SKIP() << testbed.error().message;
  EXPECT_EQ(testbed.error().message,
            "link 0: 100gbit for 200 ms are 3754 MB on their way, at most 256 MB are held");
}

}  // namespace
}  // namespace submix::throughput
