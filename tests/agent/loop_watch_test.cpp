// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/loop_watch.hpp"

#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using Loop = LoopWatch::Loop;

void note_all(LoopWatch& watch) {
  watch.note(Loop::agent);
  watch.note(Loop::telemetry);
  watch.note(Loop::net);
}

TEST(LoopWatch, IsContentOnceAllLoopsHaveGoneRound) {
  LoopWatch watch;
  EXPECT_FALSE(watch.have_all_gone_round());
  note_all(watch);
  EXPECT_TRUE(watch.have_all_gone_round());
  EXPECT_FALSE(watch.have_all_gone_round());
}

TEST(LoopWatch, IsNotContentWhileOneLoopIsStuck) {
  for (const auto stuck : {Loop::agent, Loop::telemetry, Loop::net}) {
    LoopWatch watch;
    for (int round = 0; round < 3; ++round) {
      for (const auto loop : {Loop::agent, Loop::telemetry, Loop::net}) {
        if (loop != stuck) watch.note(loop);
      }
      EXPECT_FALSE(watch.have_all_gone_round());
    }
    watch.note(stuck);
    EXPECT_TRUE(watch.have_all_gone_round());
  }
}

}  // namespace
}  // namespace submix::agent
