// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/network/stream_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>

namespace submix::io {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Pace = StreamClock::Pace;
using Time = StreamClock::Time;

constexpr microseconds kPicture(33'333);
const Time kBegin{seconds(1000)};

TEST(StreamClock, EvensOutWhatANetworkDelivers) {
  StreamClock clock(Pace::far_end);
  std::minstd_rand random(1);
  Time arrival;
  for (int i = 0; i < 1000; ++i) {
    const auto sent = kBegin + i * kPicture;
    const microseconds transit(static_cast<std::int64_t>(i % 20 == 0 ? 0 : random() % 30'000));
    arrival = std::max<Time>(arrival, sent + transit);
    EXPECT_EQ(clock.moment(i * kPicture, arrival), sent) << i << ": as the fastest ones";
  }
}

TEST(StreamClock, FollowsAFarEndWhoseClockIsFasterOrSlower) {
  for (const double rate : {0.9995, 1.0005}) {
    StreamClock clock(Pace::far_end);
    for (int i = 0; i < 100'000; ++i) {
      const auto arrival = kBegin + i * kPicture;
      const microseconds stamp(
          static_cast<std::int64_t>(static_cast<double>((i * kPicture).count()) * rate));
      const auto age = arrival - clock.moment(stamp, arrival);
      ASSERT_GE(age, microseconds(0)) << i;
      ASSERT_LE(age, milliseconds(6)) << i << ": half a millisecond for each of ten seconds";
    }
  }
}

TEST(StreamClock, BeginsAnewWhenTheFarEndDoes) {
  StreamClock clock(Pace::far_end);
  for (int i = 0; i < 90; ++i)
    static_cast<void>(clock.moment(seconds(5000) + i * kPicture, kBegin + i * kPicture));
  const auto again = kBegin + seconds(10);
  EXPECT_EQ(clock.moment(microseconds(0), again), again);
  EXPECT_EQ(clock.moment(kPicture, again + kPicture), again + kPicture);
  const auto later = again + seconds(1);
  EXPECT_EQ(clock.moment(seconds(90'000), later), later) << "and when the stamps jump ahead";
}

TEST(StreamClock, TakesTheStampsOfAFileAsTheyAre) {
  StreamClock clock(Pace::reader);
  for (int i = 0; i < 60; ++i)  // all within one millisecond
    EXPECT_EQ(clock.moment(i * kPicture, kBegin + microseconds(i)), kBegin + i * kPicture);
  const auto jumped = kBegin + seconds(2);
  EXPECT_EQ(clock.moment(seconds(500), jumped), jumped);
}

TEST(StreamClock, BearsAnyStamp) {
  constexpr microseconds kMost(std::int64_t{1} << 60U);
  StreamClock clock(Pace::far_end);
  for (const auto stamp : {kMost, -kMost, kMost, microseconds(0), -kMost}) {
    const auto moment = clock.moment(stamp, kBegin);
    EXPECT_LE(moment, kBegin);
    EXPECT_GE(moment, kBegin - StreamClock::kJump);
  }
}

}  // namespace
}  // namespace submix::io
