// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/event_limiter.hpp"

#include "tests/link/stream_fixture.hpp"
#include "tests/support/manual_clock.hpp"

#include <gtest/gtest.h>

namespace submix::link {
namespace {

TEST(EventLimiter, CollapsesAFloodAndSaysHowManyThereWere) {
  testing::RecordedEvents events;
  testing::ManualClock clock;
  EventLimiter limiter(&events, clock);
  for (int i = 0; i < 5; ++i)
    limiter.report(Severity::warning, "kind", "door", "knock");
  EXPECT_EQ(events.all(), "door: knock\n");
  clock.advance(std::chrono::seconds(2));
  limiter.report(Severity::warning, "kind", "door", "knock");
  EXPECT_TRUE(events.has("knock (4 more of this kind before)"));
}

TEST(EventLimiter, LetsOtherKindsPass) {
  testing::RecordedEvents events;
  testing::ManualClock clock;
  EventLimiter limiter(&events, clock);
  limiter.report(Severity::warning, "kind", "door", "knock");
  limiter.report(Severity::warning, "other", "door", "ring");
  limiter.report(Severity::warning, "kind", "window", "shout");
  EXPECT_EQ(events.all(), "door: knock\ndoor: ring\nwindow: shout\n");
}

}  // namespace
}  // namespace submix::link
