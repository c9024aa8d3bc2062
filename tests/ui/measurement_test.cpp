// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/measurement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using Phase = Measurement::Phase;

TEST(Measurement, GoesThroughItsPhasesAndEnds) {
  Measurement measurement(10s);
  FrameMeter meter;
  const LocalTime begin(1h);
  EXPECT_EQ(measurement.advance(begin, meter), Phase::waiting);
  EXPECT_EQ(measurement.advance(begin + 4s, meter), Phase::usual);
  EXPECT_EQ(measurement.advance(begin + 13s, meter), Phase::usual);
  EXPECT_FALSE(measurement.is_touched());
  EXPECT_EQ(measurement.advance(begin + 14s, meter), Phase::touched);
  EXPECT_TRUE(measurement.is_touched());
  EXPECT_FALSE(measurement.is_hurried());
  EXPECT_EQ(measurement.advance(begin + 24s, meter), Phase::fast);
  EXPECT_TRUE(measurement.is_hurried());
  EXPECT_FALSE(measurement.is_view_frozen());
  EXPECT_EQ(measurement.advance(begin + 34s, meter), Phase::still);
  EXPECT_TRUE(measurement.is_view_frozen());
  EXPECT_EQ(measurement.advance(begin + 44s, meter), Phase::over);
  EXPECT_EQ(measurement.advance(begin + 99s, meter), Phase::over);
}

TEST(Measurement, TellsEachPhasesFramesApart) {
  Measurement measurement(10s);
  FrameMeter meter;
  LocalTime now(1h);
  static_cast<void>(measurement.advance(now, meter));
  static_cast<void>(measurement.advance(now += 4s, meter));
  for (int i = 0; i < 100; ++i)
    meter.frame.add(2ms);
  meter.responsiveness.add_turn(now, now + 250ms);
  static_cast<void>(measurement.advance(now += 10s, meter));
  static_cast<void>(measurement.advance(now += 10s, meter));
  meter.frame.add(7ms);
  static_cast<void>(measurement.advance(now += 10s, meter));
  static_cast<void>(measurement.advance(now += 10s, meter));
  const auto json = measurement.json();
  EXPECT_THAT(
      json,
      HasSubstr(
          R"({"usual": {"seconds": 10.0, "frames": 100, "fps": 10.0, "frame_ms": {"p50": 2.000)"));
  EXPECT_THAT(json, HasSubstr(R"("unresponsive_intervals": 2)"));
  EXPECT_THAT(
      json,
      HasSubstr(R"("fast": {"seconds": 10.0, "frames": 1, "fps": 0.1, "frame_ms": {"p50": 7.000)"));
  EXPECT_THAT(json, HasSubstr(R"("still": {"seconds": 10.0, "frames": 0)"));
}

}  // namespace
}  // namespace submix::ui
