// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/line_budget.hpp"

#include <gtest/gtest.h>

namespace submix::cli {
namespace {

using namespace std::chrono_literals;

constexpr LocalTime kStart(100s);

/// The number of written lines of 1,000 a second.
int flood(LineBudget& budget, LocalTime from, std::chrono::seconds length) {
  int written = 0;
  for (auto at = from; at < from + length; at += 1ms)
    written += budget.admit(at) ? 1 : 0;
  return written;
}

TEST(LineBudget, LetsSoManyLinesThroughInTheFirstSecondOfAFlood) {
  LineBudget budget(20);
  EXPECT_EQ(flood(budget, kStart, 1s), 20);
  EXPECT_EQ(budget.take_flood(kStart + 999ms), std::nullopt) << "the second is not over";
  EXPECT_EQ(budget.take_flood(kStart + 1s), 1000U);
  EXPECT_EQ(budget.take_flood(kStart + 1s), std::nullopt) << "it is said once";
}

// Formerly 20 lines were written in each second of the flood.
TEST(LineBudget, TellsALongFloodInOneLineEachFiveSeconds) {
  LineBudget budget(20);
  EXPECT_EQ(flood(budget, kStart, 61s), 20);
  LineBudget told(20);
  int lines = 0;
  for (auto at = kStart; at < kStart + 61s; at += 1ms) {
    static_cast<void>(told.admit(at));
    if (const auto rate = told.take_flood(at)) {
      ++lines;
      EXPECT_EQ(*rate, 1000U);
    }
  }
  EXPECT_EQ(lines, 1 + 60 / 5 - 1) << "the last five seconds are not over";
}

TEST(LineBudget, WritesLinesAgainAfterAFlood) {
  LineBudget budget(20);
  static_cast<void>(flood(budget, kStart, 1s));
  EXPECT_EQ(budget.take_flood(kStart + 1s), 1000U);
  for (int i = 0; i < 50; ++i)
    EXPECT_FALSE(budget.admit(kStart + 2s));
  EXPECT_EQ(budget.take_flood(kStart + 6s), 10U) << "these have not been written";
  EXPECT_TRUE(budget.admit(kStart + 7s)) << "five seconds with no more than fit are its end";
  EXPECT_EQ(budget.take_flood(kStart + 20s), std::nullopt);
}

TEST(LineBudget, CountsWhatNobodyCouldSee) {
  LineBudget budget(1);
  EXPECT_EQ(budget.take_flood(kStart), std::nullopt);
  budget.miss(3);
  EXPECT_EQ(budget.take_flood(kStart + 1s), 3U);
}

}  // namespace
}  // namespace submix::cli
