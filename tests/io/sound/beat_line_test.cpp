// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/beat_line.hpp"

#include <gtest/gtest.h>

namespace submix::io {
namespace {

BeatLine beats(int count, double period) {
  BeatLine line;
  for (int i = 0; i < count; ++i)
    line.add(i * period, period);
  return line;
}

TEST(BeatLine, KnowsThePeriodBetterThanTheTracker) {
  BeatLine line;
  for (int i = 0; i < 20; ++i)
    line.add(i * 0.5 + (i % 2 == 0 ? 0.01 : -0.01), 0.49);
  EXPECT_EQ(line.size(), BeatLine::kBeatsMax);
  EXPECT_NEAR(line.fit().period, 0.5, 0.001);
  EXPECT_NEAR(line.fit().last, 9.5, 0.003);
  EXPECT_NEAR(line.fit().distance, 0.01, 0.001);
}

TEST(BeatLine, GoesOnAfterAMissedBeatAndARepeatedOne) {
  auto line = beats(8, 0.5);
  line.add(3.55, 0.5);  // that of 3.5 s again
  EXPECT_EQ(line.size(), 8U);
  line.add(4.5, 0.5);
  EXPECT_EQ(line.size(), 9U);
  EXPECT_NEAR(line.fit().period, 0.5, 1e-9);
}

TEST(BeatLine, BeginsAnewWhereTheBeatJumps) {
  for (const double at : {4.2, 8.0}) {  // 0.2 s late; after eight missing ones
    auto line = beats(8, 0.5);
    line.add(at, 0.5);
    EXPECT_EQ(line.size(), 1U) << at;
  }
  auto faster = beats(8, 0.5);
  faster.add(4.0, 0.4);
  EXPECT_EQ(faster.size(), 1U) << "the tracker has another tempo";
  auto unknown = beats(8, 0.5);
  unknown.add(4.0, 0.0);
  EXPECT_EQ(unknown.size(), 0U) << "the tracker has no tempo";
}

}  // namespace
}  // namespace submix::io
