// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/size_expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::shader {
namespace {

using ::testing::HasSubstr;

std::optional<double> width_and_quality(std::string_view name) {
  if (name == "WIDTH") return 640;
  if (name == "quality") return 0.25;
  return std::nullopt;
}

double value(std::string_view expression) {
  const auto computed = compute(expression, width_and_quality);
  return computed ? *computed : -1;
}

std::string refusal(std::string_view expression) {
  const auto computed = compute(expression, width_and_quality);
  return computed ? "computed" : computed.error().message;
}

TEST(SizeExpression, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(value("16"), 16);
  EXPECT_EQ(value("$WIDTH/4.0"), 160);
  EXPECT_EQ(value("2 + 3*4 - 6/2"), 11);
  EXPECT_EQ(value("-(2 - 5) % 2"), 1);
}

TEST(SizeExpression, KnowsTheFunctionsOfShaders) {
  EXPECT_EQ(value("floor($WIDTH/3.0)"), 213);
  EXPECT_EQ(value("max(8.0,floor($WIDTH*$quality))"), 160);
  EXPECT_EQ(value("min(ceil(0.2), sqrt(16))"), 1);
}

TEST(SizeExpression, SaysWhatItDoesNotUnderstand) {
  EXPECT_THAT(refusal("$HEIGHT"), HasSubstr("\"$HEIGHT\" is unknown"));
  EXPECT_THAT(refusal("system(1)"), HasSubstr("\"system\" is unknown"));
  EXPECT_THAT(refusal("max(1)"), HasSubstr("is not understood"));
  for (const auto* wrong : {"", "(", "1 +", "1 2", ")", "floor", "floor(", "$", "max(1,2,3)"})
    EXPECT_NE(refusal(wrong), "computed") << wrong;
}

TEST(SizeExpression, HasALimitOfDepth) {
  EXPECT_THAT(refusal(std::string(100'000, '(')), HasSubstr("deeper than"));
  EXPECT_THAT(refusal(std::string(100'000, '-')), HasSubstr("deeper than"));
}

}  // namespace
}  // namespace submix::shader
