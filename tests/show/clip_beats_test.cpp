// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/clip_beats.hpp"

#include <gtest/gtest.h>

namespace submix::show {
namespace {

TEST(LastingBeats, AreThoseThatAreWanted) {
  EXPECT_EQ(lasting_beats(8, 10, 2), 8);
  EXPECT_EQ(lasting_beats(0.5, 1, 2), 0.5);
  EXPECT_EQ(lasting_beats(8, 10, 0), 8) << "the beats stand still";
  EXPECT_EQ(lasting_beats(1, 8, 2), 1) << "16 times as fast is fast enough";
}

TEST(LastingBeats, AreNoneWithoutASpan) {
  EXPECT_EQ(lasting_beats(0, 10, 2), 0);
  EXPECT_EQ(lasting_beats(8, 0, 2), 0);
}

TEST(LastingBeats, AreDoubledUntilTheSpeedIsPermitted) {
  EXPECT_EQ(lasting_beats(1, 8.1, 2), 2);
  EXPECT_EQ(lasting_beats(1, 7200, 2), 1024);
  EXPECT_EQ(lasting_beats(3, 100, 2), 24) << "not merely 12.5";
}

}  // namespace
}  // namespace submix::show
