// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/engine/flight_times.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace submix::engine {
namespace {

using namespace std::chrono_literals;

constexpr LocalTime kBegun{100s};

TEST(FlightTimes, CountFromTheFirstSourceToTheEnd) {
  FlightTimes flights;
  flights.begin(7, kBegun + 5ms);
  flights.begin(7, kBegun);
  flights.end(7, kBegun + 40ms);
  EXPECT_EQ(flights.reading().p50, 40ms);
}

TEST(FlightTimes, AFrameWaitsAtTheEndFromTheLastSlotBeforeItOn) {
  FlightTimes flights;
  flights.begin(7, kBegun);
  flights.pass(7, kBegun + 12ms);
  flights.pass(7, kBegun + 9ms);
  EXPECT_EQ(flights.wait_until(7, kBegun + 30ms), 18ms);
  EXPECT_EQ(flights.wait_until(7, kBegun + 10ms), 0ms);
}

TEST(FlightTimes, OfAFrameThatNobodyBeganNothingIsKnown) {
  FlightTimes flights;
  flights.pass(7, kBegun);
  EXPECT_EQ(flights.wait_until(7, kBegun + 1s), 0ms);
}

}  // namespace
}  // namespace submix::engine
