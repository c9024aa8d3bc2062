// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/fine_pair.hpp"

#include <gtest/gtest.h>

namespace submix::input {
namespace {

using namespace std::chrono_literals;

constexpr int value(int coarse, int fine) {
  return coarse * 128 + fine;
}

class FinePairTest : public ::testing::Test {
 protected:
  std::optional<int> coarse(int value) { return pair_.coarse(value, now_); }
  std::optional<int> fine(int value) { return pair_.fine(value, now_); }
  std::optional<int> due_later() {
    now_ += FinePair::kPairTime;
    return pair_.due(now_);
  }
  void rest() { now_ += 1s; }

  FinePair pair_;
  LocalTime now_ = LocalTime(1h);
};

TEST_F(FinePairTest, ACoarseHalfActsAtOnceUntilAFineOneWasSeen) {
  EXPECT_EQ(coarse(64), value(64, 0));
  EXPECT_EQ(fine(1), value(64, 1));
  EXPECT_EQ(coarse(65), std::nullopt) << "half of a value would make it jump";
  EXPECT_EQ(fine(127), value(65, 127));
}

TEST_F(FinePairTest, ACoarseHalfAloneMeansAFineOneOfZero) {
  static_cast<void>(coarse(64));
  static_cast<void>(fine(100));
  rest();
  EXPECT_EQ(coarse(10), std::nullopt);
  EXPECT_EQ(pair_.due(now_), std::nullopt) << "its fine half may come yet";
  EXPECT_EQ(due_later(), value(10, 0));
  EXPECT_EQ(due_later(), std::nullopt) << "once";
}

TEST_F(FinePairTest, AFineHalfBeforeAnyCoarseOneMeansNothing) {
  EXPECT_EQ(fine(100), std::nullopt);
}

TEST_F(FinePairTest, AFineHalfAloneMovesWithinTheCoarseOne) {
  static_cast<void>(coarse(64));
  rest();
  EXPECT_EQ(fine(5), value(64, 5));
  rest();
  EXPECT_EQ(fine(6), value(64, 6));
}

TEST_F(FinePairTest, ADeviceThatSendsTheFineHalfFirstIsUnderstood) {
  EXPECT_EQ(fine(3), std::nullopt);
  EXPECT_EQ(coarse(64), value(64, 3));
  EXPECT_EQ(fine(90), std::nullopt) << "with the old coarse half it would jump";
  EXPECT_EQ(coarse(65), value(65, 90));
  EXPECT_EQ(fine(91), std::nullopt);
  EXPECT_EQ(due_later(), value(65, 91)) << "where only the fine half has changed";
}

TEST_F(FinePairTest, ADeviceThatLeavesOutAnUnchangedCoarseHalfActsAtEachFineOne) {
  static_cast<void>(coarse(64));
  rest();
  EXPECT_EQ(fine(126), value(64, 126));
  static_cast<void>(coarse(65));  // as if the device sent the fine half first
  static_cast<void>(fine(0));
  EXPECT_EQ(fine(1), value(65, 1));
  EXPECT_EQ(fine(2), value(65, 2));
}

TEST_F(FinePairTest, CoarseHalvesAloneAreNotHeldBackForAWholeMovement) {
  static_cast<void>(coarse(64));
  static_cast<void>(fine(1));
  rest();
  EXPECT_EQ(coarse(65), std::nullopt);
  EXPECT_EQ(coarse(66), value(66, 0));
  EXPECT_EQ(coarse(67), std::nullopt);
}

}  // namespace
}  // namespace submix::input
