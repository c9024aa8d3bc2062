// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plugin_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace submix::cli {
namespace {

using ::testing::HasSubstr;

cluster::ParameterSummary parameter(show::ParameterValue initial, std::vector<std::string> choices = {}) {
  return {"p", "", "", std::move(initial), 0, 1, std::move(choices)};
}

TEST(ValueFault, HoldsAValueToTheTypeOfTheParameter) {
  EXPECT_EQ(value_fault(parameter(0.0), 0.5), "");
  EXPECT_EQ(value_fault(parameter(0.0), "x"), "\"x\" is not a number");
  EXPECT_EQ(value_fault(parameter(true), 1.0), "1 is not true or false");
  EXPECT_EQ(value_fault(parameter("x"), false), "false is not a text");
  EXPECT_EQ(value_fault(parameter(std::vector<double>{1, 0, 0}), std::vector<double>{1, 0}),
            "[1, 0] is not 3 numbers in a row, as [1, 0, 0]");
}

TEST(ValueFault, HoldsANumberToItsLimits) {
  EXPECT_EQ(value_fault(parameter(0.0), 0.0), "");
  EXPECT_EQ(value_fault(parameter(0.0), 1.0), "");
  EXPECT_EQ(value_fault(parameter(0.0), 99.0), "99 is not within 0 to 1; give a number from 0 to 1");
  EXPECT_EQ(value_fault(parameter(0.0), -0.5), "-0.5 is not within 0 to 1; give a number from 0 to 1");
  EXPECT_THAT(value_fault(parameter(0.0), std::nan("")), HasSubstr("is not within 0 to 1"));
  EXPECT_EQ(value_fault(parameter(std::vector<double>{1, 0, 0}), std::vector<double>{1, 7, 0}),
            "7 is not within 0 to 1; give a number from 0 to 1");
}

TEST(ValueFault, HoldsATextToItsChoices) {
  EXPECT_EQ(value_fault(parameter("bars", {"bars", "box"}), "box"), "");
  EXPECT_EQ(value_fault(parameter("bars", {"bars", "box"}), "bar"),
            "\"bar\" is not one of bars, box (did you mean \"bars\"?)");
}

TEST(CheckSubmix, FindsWhatTheNodeCannotRun) {
  show::Show show;
  show.submixes = {{"left",
                    "a",
                    {{"clip", "clip", {{"loop", 1.0}}, {}, false},
                     {"x", "frei0r/glw", {}, {}, false},
                     {"y", "frei0r/crash", {{"z", 1.0}}, {}, false}}}};
  const std::vector<cluster::PluginSummary> plugins{
      {"clip", "source", "", "", {{"loop", "", "", true, 0, 1, {}}}},
      {"frei0r/glow", "filter", "", "", {}},
      {.id = "frei0r/crash", .refused_because = "it crashed"}};
  const auto text = to_string(check_submix(show, 0, plugins));
  EXPECT_THAT(text, HasSubstr("slot \"clip\": parameter \"loop\": 1 is not true or false"));
  EXPECT_THAT(text, HasSubstr("did you mean \"frei0r/glow\"?"));
  EXPECT_THAT(text, HasSubstr("slot \"y\": it crashed"));
}

}  // namespace
}  // namespace submix::cli
