// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/plugin_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::cli {
namespace {

using ::testing::HasSubstr;

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
