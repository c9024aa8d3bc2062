// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/telemetry/jitter.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::telemetry {
namespace {

using namespace std::chrono_literals;

TEST(Jitter, IsNothingBeforeTheFirstFrame) {
  const auto reading = Jitter().reading();
  EXPECT_EQ(frame_count(reading), 0U);
  EXPECT_EQ(jitter_within(reading, 0.99), 0ns);
}

TEST(Jitter, CountsAFrameInTheBucketThatEndsAtOrAfterItsDelay) {
  EXPECT_EQ(jitter_bucket(-5ms), 0U);
  EXPECT_EQ(jitter_bucket(kJitterBuckets[0]), 0U);
  EXPECT_EQ(jitter_bucket(kJitterBuckets[0] + 1ns), 1U);
  EXPECT_EQ(jitter_bucket(kJitterBuckets.back()), kJitterBuckets.size() - 1);
  EXPECT_EQ(jitter_bucket(24h), kJitterBuckets.size());
}

TEST(Jitter, TellsWhatAShareOfTheFramesWasNotLaterThan) {
  Jitter jitter;
  for (int i = 0; i < 99; ++i)
    jitter.add(90us);
  jitter.add(12ms);
  const auto reading = jitter.reading();
  EXPECT_EQ(frame_count(reading), 100U);
  EXPECT_EQ(jitter_within(reading, 0.5), 100us);
  EXPECT_EQ(jitter_within(reading, 0.99), 100us);
  EXPECT_EQ(jitter_within(reading, 1), 12ms);
  EXPECT_EQ(reading.max, 12ms);
}

TEST(Jitter, NeverTellsMoreThanTheGreatestDelay) {
  Jitter jitter;
  jitter.add(110us);
  EXPECT_EQ(jitter_within(jitter.reading(), 0.5), 110us);
  jitter.add(10h);
  EXPECT_EQ(jitter_within(jitter.reading(), 1), 10h);
}

}  // namespace
}  // namespace submix::telemetry
