// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/written_number.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace submix {
namespace {

TEST(WrittenNumber, IsTheShortestThatAFloatStandsFor) {
  for (const auto& [number, written] :
       {std::pair{0.1F, 0.1}, {-0.3F, -0.3}, {0.0F, 0.0}, {16777217.0F, 16777216.0}, {1e-7F, 1e-7}})
    EXPECT_EQ(as_written(number), written);
}

TEST(WrittenNumber, StaysTheSameFloat) {
  for (const float number : {0.1F, 1.0F / 3, 12345.678F, std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::denorm_min()})
    EXPECT_EQ(static_cast<float>(as_written(number)), number);
}

TEST(WrittenNumber, HasNoMoreDigitsThanAFloat) {
  EXPECT_EQ(as_written(64 * 0.1 + 1e-15), 6.4);
  EXPECT_EQ(as_written(1.0 / 3), 0.333333333);
}

}  // namespace
}  // namespace submix
