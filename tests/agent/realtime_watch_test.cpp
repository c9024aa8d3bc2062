// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/realtime_watch.hpp"

#include "tests/support/event_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(RealtimeReading, NamesTheThreadsAndTheRemedy) {
  const auto reading = realtime_reading({"left.clip", "net"});
  EXPECT_TRUE(reading.is_lost);
  EXPECT_THAT(reading.reason,
              AllOf(HasSubstr("left.clip, net"), HasSubstr("without real-time scheduling"),
                    HasSubstr("make the work of that slot smaller")));
}

TEST(RealtimeReading, IsEmptyWhereNothingIsLost) {
  EXPECT_EQ(realtime_reading({}), telemetry::RealtimeReading());
}

TEST(RealtimeWatch, SaysNothingWhileNothingIsLost) {
  testing::EventLog events;
  RealtimeWatch watch("left", events);
  EXPECT_EQ(watch.read(), telemetry::RealtimeReading());
  EXPECT_THAT(events.lines(), IsEmpty());
}

TEST(RealtimeWatch, TellsOfAPluginHostAndThenThatAllHaveItAgain) {
  testing::EventLog events;
  RealtimeWatch watch("left", events);
  EXPECT_THAT(watch.read({"left.glow"}).reason,
              HasSubstr("thread of the plugin host of left.glow computed"));
  EXPECT_EQ(watch.read(), telemetry::RealtimeReading());
  ASSERT_EQ(events.lines().size(), 2U);
  EXPECT_THAT(events.lines().back(), HasSubstr("all threads have real-time scheduling again"));
}

}  // namespace
}  // namespace submix::agent
