// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/peer_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

class PeerClockTest : public ::testing::Test {
 protected:
  /// The peer's clock is 5 s ahead. The ping takes `there`, the answer takes `back`.
  void ping(std::chrono::nanoseconds there, std::chrono::nanoseconds back) {
    const auto sent = now;
    const auto theirs = sent.time_since_epoch() + there + 5s;
    now = sent + there + back;
    clock.observe(sent, theirs, now);
    now += 50ms;
  }

  LocalTime now = LocalTime() + 1h;
  PeerClock clock;
};

TEST_F(PeerClockTest, KnowsNothingBeforeTheFirstAnswer) {
  EXPECT_FALSE(clock.offset());
  EXPECT_FALSE(clock.local_time_of(1s));
}

TEST_F(PeerClockTest, IsExactWhereBothWaysTakeAsLong) {
  ping(100us, 100us);
  EXPECT_EQ(clock.offset(), 5s);
  EXPECT_EQ(clock.round_trip(), 200us);
  EXPECT_EQ(clock.local_time_of(now.time_since_epoch() + 5s), now);
}

TEST_F(PeerClockTest, TrustsTheFastestAnswer) {
  ping(100us, 100us);
  ping(100us, 20ms);
  ping(30ms, 100us);
  EXPECT_EQ(clock.offset(), 5s);
}

TEST_F(PeerClockTest, ForgetsAnswersThatAreOld) {
  ping(100us, 100us);
  for (std::size_t i = 0; i < PeerClock::kKept; ++i)
    ping(1ms, 2ms);
  EXPECT_EQ(clock.round_trip(), 3ms);
}

TEST_F(PeerClockTest, BeginsAnewWithAnotherPeer) {
  ping(100us, 100us);
  clock.forget();
  EXPECT_FALSE(clock.offset());
}

}  // namespace
}  // namespace submix::stream
