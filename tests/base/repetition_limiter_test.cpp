// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/repetition_limiter.hpp"

#include <gtest/gtest.h>

#include <string>

namespace submix {
namespace {

using namespace std::chrono_literals;

TEST(RepetitionLimiter, SaysAKindOnceAndThenNowAndThenHowOftenItCame) {
  RepetitionLimiter limiter(1s);
  const LocalTime start(100s);
  EXPECT_EQ(limiter.admit("bad", "bad bytes", start), "bad bytes");
  for (int i = 0; i < 60'000; ++i)
    EXPECT_FALSE(limiter.admit("bad", "bad bytes", start + 999ms));
  EXPECT_EQ(limiter.admit("bad", "bad bytes", start + 1s),
            "bad bytes (60000 more of this kind before)");
  EXPECT_EQ(limiter.admit("bad", "bad bytes", start + 2s), "bad bytes");
}

TEST(RepetitionLimiter, LetsNoKindHideAnother) {
  RepetitionLimiter limiter(1s);
  const LocalTime start(100s);
  EXPECT_TRUE(limiter.admit("one", "", start));
  EXPECT_TRUE(limiter.admit("two", "", start));
}

TEST(RepetitionLimiter, HasRoomForSoManyKindsAndNoMore) {
  RepetitionLimiter limiter(1s);
  const LocalTime start(100s);
  int said = 0;
  for (int kind = 0; kind < 10'000; ++kind)
    said += limiter.admit(std::to_string(kind), "", start) ? 1 : 0;
  EXPECT_EQ(said, 257);
}

}  // namespace
}  // namespace submix
