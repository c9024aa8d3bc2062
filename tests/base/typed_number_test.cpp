// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/typed_number.hpp"

#include "tests/support/why.hpp"

#include <gtest/gtest.h>

namespace submix {
namespace {

TEST(TypedNumber, IsReadUpToBothLimits) {
  for (const auto& [text, number] :
       {std::pair{"0.5", 0.5}, {"3", 3.0}, {"5e-1", 0.5}, {"1.25", 1.25}})
    EXPECT_EQ(typed_number(text, 0.5, 3).value_or(-1), number) << text;
}

TEST(TypedNumber, IsRefusedOutsideTheLimitsOrWithOtherCharacters) {
  for (const auto* text :
       {"", " ", "x", "1x", "1 ", "1,5", "0.49", "3.01", "nan", "-nan", "inf", "1e300", "1e5000"})
    EXPECT_FALSE(typed_number(text, 0.5, 3)) << text;
}

TEST(TypedNumber, IsNamedWithItsLimits) {
  EXPECT_EQ(why(typed_number("nan", 0.5, 3)), "\"nan\" is not a number from 0.5 to 3");
}

}  // namespace
}  // namespace submix
