// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/decimate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace submix::ui {
namespace {

TEST(Decimated, HasAColumnForEachSampleWhereThereIsRoom) {
  const auto columns =
      decimated([](std::int64_t tick) { return static_cast<float>(tick); }, {10, 14}, 4);
  ASSERT_EQ(columns.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(columns[i].has_any);
    EXPECT_EQ(columns[i].greatest, static_cast<float>(10 + i));
  }
}

TEST(Decimated, LeavesColumnsEmptyWhereThereAreMoreOfThem) {
  const auto columns = decimated([](std::int64_t) { return 1.0F; }, {0, 2}, 8);
  EXPECT_TRUE(columns[0].has_any);
  EXPECT_FALSE(columns[1].has_any);
  EXPECT_TRUE(columns[4].has_any);
}

TEST(Decimated, NeverLosesAPeakWhateverTheRange) {
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    const auto peak = static_cast<std::int64_t>(random() % 6000);
    const double begin = static_cast<double>(random() % 6000) / 3.0;
    const double length = 1 + static_cast<double>(random() % 60'000) / 10.0;
    const auto columns = decimated([&](std::int64_t tick) { return tick == peak ? 9.0F : 1.0F; },
                                   {begin, begin + length}, 1 + random() % 700);
    float greatest = 0;
    for (const auto& column : columns)
      greatest = std::max(greatest, column.greatest);
    const auto at = static_cast<double>(peak);
    const bool is_in_range = at >= begin && at < begin + length;
    ASSERT_EQ(greatest == 9, is_in_range) << "seed 7, round " << i;
  }
}

TEST(Decimated, KeepsTheLeastTheGreatestAndBothEndsOfAColumn) {
  const auto columns = decimated(
      [](std::int64_t tick) {
        constexpr float kValues[]{3, 9, 1, 4};
        return kValues[tick];
      },
      {0, 4}, 1);
  EXPECT_EQ(columns[0].first, 3);
  EXPECT_EQ(columns[0].last, 4);
  EXPECT_EQ(columns[0].least, 1);
  EXPECT_EQ(columns[0].greatest, 9);
}

TEST(Decimated, CountsWhatWasNotMeasuredForNothing) {
  const auto columns = decimated([](std::int64_t) { return std::nanf(""); }, {0, 100}, 10);
  for (const auto& column : columns)
    EXPECT_FALSE(column.has_any);
}

TEST(Decimated, IsEmptyWithoutARangeOrRoom) {
  const auto one = [](std::int64_t) { return 1.0F; };
  EXPECT_TRUE(decimated(one, {0, 10}, 0).empty());
  EXPECT_FALSE(decimated(one, {10, 10}, 3)[0].has_any);
}

}  // namespace
}  // namespace submix::ui
