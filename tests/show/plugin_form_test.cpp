// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/plugin_form.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::show {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Catalogue kPlugins{{"clip", {0, {"file", "loop"}}},
                         {"frei0r/glow", {1, {"Blur"}}},
                         {"frei0r/blend", {2, {}}},
                         {"mix", {kMixerInputs, {}}}};

Show show_of(std::vector<Slot> slots) {
  Show show;
  show.submixes = {{"left", "a", std::move(slots)}};
  return show;
}

std::string plugin_problems_of(const Show& show) {
  return to_string(check_plugins(show, 0, kPlugins));
}

TEST(ResolveInputs, TakesTheSlotAboveForOneInput) {
  const auto show =
      show_of({{"clip", "clip", {}, {}, false}, {"glow", "frei0r/glow", {}, {}, false}});
  EXPECT_EQ(*resolve_inputs(show.submixes[0], 1, 1), (std::vector<Input>{{"clip", 0}}));
  EXPECT_THAT(*resolve_inputs(show.submixes[0], 0, 0), IsEmpty());
  EXPECT_THAT(why(resolve_inputs(show.submixes[0], 0, 1)), HasSubstr("there is no slot above"));
  EXPECT_THAT(why(resolve_inputs(show.submixes[0], 1, 2)), HasSubstr("say which slots they are"));
}

TEST(ResolveInputs, TakesDelaysButOfTheFirst) {
  const auto resolved = [](std::vector<std::string> inputs) {
    const auto show = show_of({{"both", "frei0r/blend", {}, std::move(inputs), false}});
    return resolve_inputs(show.submixes[0], 0, 2);
  };
  EXPECT_EQ(*resolved({"clip", "both@2"}), (std::vector<Input>{{"clip", 0}, {"both", 2}}));
  EXPECT_THAT(why(resolved({"clip@1", "both"})),
              HasSubstr("cannot be delayed; name another one first"));
  for (const auto* wrong : {"both@", "both@0", "both@121", "both@-1", "both@1x", "both@1@1"}) {
    EXPECT_THAT(why(resolved({"clip", wrong})),
                HasSubstr("is not within 1 to 120 frames; write \"both@1\""))
        << wrong;
  }
}

TEST(CheckPlugins, TakesACircleWithADelay) {
  const auto show = show_of({{"clip", "clip", {}, {}, false},
                             {"both", "frei0r/blend", {}, {{"clip", "glow@1"}}, false},
                             {"glow", "frei0r/glow", {}, {}, false}});
  EXPECT_THAT(plugin_problems_of(show), IsEmpty());
}

TEST(CheckPlugins, NamesTheNearestPluginAndParameter) {
  const auto show =
      show_of({{"clip", "clip", {{"fil", "x"}}, {}, false}, {"glow", "frei0r/glw", {}, {}, false}});
  EXPECT_THAT(plugin_problems_of(show),
              HasSubstr("plugin \"clip\" has no parameter \"fil\" (did you mean \"file\"?)"));
  EXPECT_THAT(plugin_problems_of(show),
              HasSubstr("\"frei0r/glw\" is not on node \"a\" (did you mean \"frei0r/glow\"?)"));
}

TEST(CheckPlugins, CountsInputs) {
  const auto show =
      show_of({{"clip", "clip", {}, {}, false}, {"both", "frei0r/blend", {}, {{"clip"}}, false}});
  EXPECT_THAT(plugin_problems_of(show), HasSubstr("takes 2 inputs, but \"inputs\" names 1"));
}

TEST(CheckPlugins, LetsASlotSayHowManyInputsAMixHas) {
  const auto with = [](std::vector<std::string> inputs) {
    return plugin_problems_of(
        show_of({{"clip", "clip", {}, {}, false}, {"all", "mix", {}, inputs, false}}));
  };
  EXPECT_THAT(with({"clip", "clip", "clip", "clip"}), IsEmpty());
  EXPECT_THAT(with({"clip"}),
              HasSubstr("plugin \"mix\" takes 2 to 16 inputs, but \"inputs\" names 1"));
  EXPECT_THAT(with(std::vector<std::string>(17, "clip")), HasSubstr("takes 2 to 16 inputs"));
}

TEST(CheckPlugins, FindsACircleOverADefaultInput) {
  const auto show = show_of(
      {{"one", "frei0r/glow", {}, {{"two"}}, false}, {"two", "frei0r/glow", {}, {}, false}});
  EXPECT_THAT(plugin_problems_of(show), HasSubstr("in a circle: one -> two -> one"));
}

// Adds the faulty output chain "look" to `show` and expects one circle in it.
void expect_one_circle_in_its_output_chain(Show show) {
  show.output_chain = "look";
  show.submixes.push_back({"look",
                           "",
                           {{"in", "stream-in", {}, {}, false},
                            {"both", "frei0r/blend", {}, {{"in", "glow"}}, false},
                            {"glow", "frei0r/glow", {}, {}, false},
                            {"out", "stream-out", {}, {}, false}}});
  auto plugins = kPlugins;
  plugins.insert({{"window", {1, {}}}, {"stream-in", {0, {}}}, {"stream-out", {1, {}}}});
  const auto problems = check_plugins(show, 0, plugins);
  ASSERT_EQ(problems.size(), 1U) << to_string(problems);
  EXPECT_THAT(to_string(problems),
              HasSubstr("submix \"look\": slots feed each other in a circle: both -> "));
}

TEST(CheckPlugins, FindsACircleOverADefaultInputOfTheOutputChain) {
  auto show = show_of({{"clip", "clip", {}, {}, false}, {"screen", "window", {}, {}, false}});
  expect_one_circle_in_its_output_chain(std::move(show));
}

TEST(CheckPlugins, TellsACircleOnceWhereTheOutputChainStandsInTheSubmixToo) {
  auto show = show_of({{"clip", "clip", {}, {}, false},
                       {"look", "submix/look", {}, {}, false},
                       {"screen", "window", {}, {}, false}});
  expect_one_circle_in_its_output_chain(std::move(show));
}

TEST(CheckPlugins, FindsNothingWrongWithAGoodPatch) {
  const auto show = show_of({{"clip", "clip", {{"file", "x"}}, {}, false},
                             {"glow", "frei0r/glow", {{"Blur", 0.5}}, {}, false},
                             {"both", "frei0r/blend", {}, {{"clip", "glow"}}, false}});
  EXPECT_THAT(plugin_problems_of(show), IsEmpty());
}

}  // namespace
}  // namespace submix::show
