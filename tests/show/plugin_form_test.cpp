// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/plugin_form.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::show {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Catalogue kPlugins{
    {"clip", {0, {"file", "loop"}}}, {"frei0r/glow", {1, {"Blur"}}}, {"frei0r/blend", {2, {}}}};

Show show_of(std::vector<Slot> slots) {
  Show show;
  show.submixes = {{"left", "a", std::move(slots)}};
  return show;
}

std::string problems_of(const Show& show) {
  return to_string(check_plugins(show, 0, kPlugins));
}

TEST(ResolveInputs, TakesTheSlotAboveForOneInput) {
  const auto show = show_of({{"clip", "clip", {}, {}, false}, {"glow", "frei0r/glow", {}, {}, false}});
  EXPECT_EQ(*resolve_inputs(show.submixes[0], 1, 1), std::vector<std::string>{"clip"});
  EXPECT_THAT(*resolve_inputs(show.submixes[0], 0, 0), IsEmpty());
  EXPECT_THAT(resolve_inputs(show.submixes[0], 0, 1).error().message, HasSubstr("there is no slot above"));
  EXPECT_THAT(resolve_inputs(show.submixes[0], 1, 2).error().message, HasSubstr("say which slots they are"));
}

TEST(CheckPlugins, NamesTheNearestPluginAndParameter) {
  const auto show =
      show_of({{"clip", "clip", {{"fil", "x"}}, {}, false}, {"glow", "frei0r/glw", {}, {}, false}});
  EXPECT_THAT(problems_of(show),
              HasSubstr("plugin \"clip\" has no parameter \"fil\" (did you mean \"file\"?)"));
  EXPECT_THAT(problems_of(show),
              HasSubstr("\"frei0r/glw\" is not on node \"a\" (did you mean \"frei0r/glow\"?)"));
}

TEST(CheckPlugins, CountsInputs) {
  const auto show =
      show_of({{"clip", "clip", {}, {}, false}, {"both", "frei0r/blend", {}, {{"clip"}}, false}});
  EXPECT_THAT(problems_of(show), HasSubstr("takes 2 inputs, but \"inputs\" names 1"));
}

TEST(CheckPlugins, FindsACircleOverADefaultInput) {
  const auto show =
      show_of({{"one", "frei0r/glow", {}, {{"two"}}, false}, {"two", "frei0r/glow", {}, {}, false}});
  EXPECT_THAT(problems_of(show), HasSubstr("in a circle: one -> two -> one"));
}

TEST(CheckPlugins, FindsNothingWrongWithAGoodPatch) {
  const auto show = show_of({{"clip", "clip", {{"file", "x"}}, {}, false},
                             {"glow", "frei0r/glow", {{"Blur", 0.5}}, {}, false},
                             {"both", "frei0r/blend", {}, {{"clip", "glow"}}, false}});
  EXPECT_THAT(problems_of(show), IsEmpty());
}

}  // namespace
}  // namespace submix::show
