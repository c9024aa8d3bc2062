// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/units.hpp"

#include <gtest/gtest.h>

namespace submix {
namespace {

TEST(FrameRate, DoesNotDriftOverAWholeDay) {
  const FrameRate ntsc{30000, 1001};
  EXPECT_EQ(ntsc.time_of({30000ULL * 86}), std::chrono::seconds(1001 * 86));
}

TEST(FrameRate, IsExactBetweenWholeSeconds) {
  EXPECT_EQ((FrameRate{30, 1}.time_of({1})), std::chrono::nanoseconds(33'333'333));
  EXPECT_EQ((FrameRate{30, 1}.time_of({31})), std::chrono::nanoseconds(1'033'333'333));
}

TEST(Size, OutsideTheLimitsIsNotAllowed) {
  EXPECT_TRUE(is_allowed({1280, 720}));
  EXPECT_FALSE(is_allowed({0, 720}));
  EXPECT_FALSE(is_allowed({100000, 720}));
}

TEST(FrameRate, FindsTheFrameThatATimeFallsInto) {
  for (const FrameRate rate : {FrameRate{30, 1}, {30000, 1001}, {24000, 1001}, {240, 1}}) {
    for (const std::uint64_t index : {0ULL, 1ULL, 7ULL, 53'000'000'001ULL, 110'000'000'000ULL}) {
      const auto begin = rate.time_of({index});
      EXPECT_EQ(rate.index_at(begin).value, index);
      EXPECT_EQ(rate.index_at(rate.time_of({index + 1}) - std::chrono::nanoseconds(1)).value,
                index);
    }
  }
  EXPECT_EQ((FrameRate{30, 1}.index_at(std::chrono::seconds(-5))), FrameIndex{0});
}

}  // namespace
}  // namespace submix
