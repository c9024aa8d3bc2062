// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/telemetry/latencies.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::telemetry {
namespace {

using namespace std::chrono_literals;

TEST(LatenciesTest, AreNothingBeforeTheFirst) {
  EXPECT_EQ(Latencies().reading(), LatencyReading());
}

TEST(LatenciesTest, TellMedianAndExtremes) {
  Latencies latencies;
  for (int i = 100; i >= 1; --i)
    latencies.add(i * 1ms);
  EXPECT_EQ(latencies.reading(), (LatencyReading{50ms, 99ms, 100ms}));
}

TEST(LatenciesTest, AreTheSameOfOneTimeOnly) {
  Latencies latencies;
  latencies.add(7ms);
  EXPECT_EQ(latencies.reading(), (LatencyReading{7ms, 7ms, 7ms}));
}

TEST(LatenciesTest, ForgetTheOldest) {
  Latencies latencies;
  latencies.add(1s);
  for (std::size_t i = 0; i < Latencies::kKept; ++i)
    latencies.add(2ms);
  EXPECT_EQ(latencies.reading().max, 2ms);
}

}  // namespace
}  // namespace submix::telemetry
