// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/draining_senders.hpp"

#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using State = DrainingSenders::State;

TEST(DrainingSendersTable, DrainsASenderOnceItsPatchHasReleasedIt) {
  EXPECT_EQ(DrainingSenders::next(State::in_use, {}), State::in_use);
  EXPECT_EQ(DrainingSenders::next(State::in_use, {.is_released = true}), State::draining);
  EXPECT_EQ(DrainingSenders::next(State::stuck, {.is_released = true}), State::draining);
}

TEST(DrainingSendersTable, ReportsASenderThatIsNotReleasedInTime) {
  EXPECT_EQ(DrainingSenders::next(State::in_use, {.is_overdue = true}), State::stuck);
  EXPECT_EQ(DrainingSenders::next(State::stuck, {.is_overdue = true}), State::stuck);
  EXPECT_EQ(DrainingSenders::next(State::in_use, {.is_released = true, .is_overdue = true}),
            State::draining)
      << "released just in time";
}

TEST(DrainingSendersTable, EndsADrainingSenderWithItsLastFrameOrItsTime) {
  EXPECT_EQ(DrainingSenders::next(State::draining, {.is_released = true}), State::draining);
  EXPECT_EQ(DrainingSenders::next(State::draining, {.is_released = true, .is_delivered = true}),
            State::ended);
  EXPECT_EQ(DrainingSenders::next(State::draining, {.is_released = true, .is_overdue = true}),
            State::ended);
}

TEST(DrainingSendersTable, NeverEndsASenderThatItsPatchUses) {
  const DrainingSenders::Progress in_use{.is_delivered = true, .is_overdue = true};
  EXPECT_NE(DrainingSenders::next(State::in_use, in_use), State::ended);
  EXPECT_NE(DrainingSenders::next(State::stuck, in_use), State::ended);
}

}  // namespace
}  // namespace submix::agent
