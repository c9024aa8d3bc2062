// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/macros.hpp"

#include "common/show/parse.hpp"
#include "tests/show/problems_of.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::show {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kLook = R"(
[[submix]]
name = "look"
  [[submix.slot]]
  name = "in"
  plugin = "stream-in"
  [[submix.slot]]
  name = "blur"
  plugin = "frei0r/blur"
    [submix.slot.parameters]
    Amount = 0.25
  [[submix.slot]]
  name = "glow"
  plugin = "frei0r/glow"
  [[submix.slot]]
  name = "out"
  plugin = "stream-out"
)";

// A slot of a show under test: `name plugin more`.
std::string slot(std::string_view name, std::string_view plugin, std::string_view more = "") {
  return fmt::format("  [[submix.slot]]\n  name = \"{}\"\n  plugin = \"{}\"\n  {}\n", name, plugin,
                     more);
}

std::string show_with(const std::string& slots, std::string_view others = kLook,
                      std::string_view more = "") {
  return fmt::format("[show]\nname = \"s\"\n{}\n[[submix]]\nname = \"mix\"\n{}{}", more, slots,
                     others);
}

std::vector<std::string> wiring_of(const std::string& text) {
  const auto show = parse(text, "s.toml");
  if (!show) return {to_string(show.error())};
  std::vector<std::string> lines;
  const auto expanded = expand(*show);
  const auto& slots = expanded.submixes.front().slots;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto count = slots[i].plugin == "clip" ? 0U : slots[i].plugin == "blend" ? 2U : 1U;
    const auto inputs = resolve_inputs(expanded.submixes.front(), i, count);
    std::vector<std::string> names;
    for (const auto& input : inputs.value_or(std::vector<Input>()))
      names.push_back(input.slot);
    lines.push_back(
        fmt::format("{}({})", slots[i].name,
                    inputs ? fmt::format("{}", fmt::join(names, ",")) : inputs.error().message));
  }
  return lines;
}

TEST(Expand, PutsTheSlotsOfASubmixInPlaceOfTheSlotThatStandsForIt) {
  EXPECT_THAT(
      wiring_of(show_with(slot("a", "clip") + slot("l", "submix/look") + slot("w", "null"))),
      ElementsAre("a()", "l/blur(a)", "l/glow(l/blur)", "w(l/glow)"));
}

TEST(Expand, FollowsStatedInputsThroughSeveralUses) {
  EXPECT_THAT(
      wiring_of(show_with(slot("a", "clip") + slot("b", "clip") +
                          slot("x", "submix/look", "inputs = [\"a\"]") + slot("y", "submix/look") +
                          slot("m", "blend", "inputs = [\"y\", \"x\"]"))),
      ElementsAre("a()", "b()", "x/blur(a)", "x/glow(x/blur)", "y/blur(x/glow)", "y/glow(y/blur)",
                  "m(y/glow,x/glow)"));
}

TEST(Expand, LetsSubmixesStandInSubmixes) {
  const auto twice = std::string(kLook) + "[[submix]]\nname = \"twice\"\n" +
                     slot("i", "stream-in") + slot("one", "submix/look") +
                     slot("two", "submix/look") + slot("o", "stream-out");
  EXPECT_THAT(wiring_of(show_with(slot("a", "clip") + slot("t", "submix/twice"), twice)),
              ElementsAre("a()", "t/one/blur(a)", "t/one/glow(t/one/blur)",
                          "t/two/blur(t/one/glow)", "t/two/glow(t/two/blur)"));
}

TEST(Expand, WiresPastASubmixThatPassesItsInputOn) {
  const auto pass =
      "[[submix]]\nname = \"pass\"\n" + slot("i", "stream-in") + slot("o", "stream-out");
  EXPECT_THAT(
      wiring_of(show_with(slot("a", "clip") + slot("b", "clip") +
                              slot("p", "submix/pass", "inputs = [\"a\"]") + slot("w", "null"),
                          pass)),
      ElementsAre("a()", "b()", "w(a)"));
}

TEST(Expand, GivesEachUseParametersOfItsOwn) {
  const auto parameters = "    [submix.slot.parameters]\n    \"blur.Amount\" = 0.75\n";
  const auto show = parse(show_with(slot("a", "clip") + slot("x", "submix/look", parameters) +
                                    slot("y", "submix/look", "bypass = true")),
                          "s.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  const auto expanded = expand(*show);
  const auto& slots = expanded.submixes.front().slots;
  EXPECT_EQ(slots[1].parameters.at("Amount"), ParameterValue(0.75));
  EXPECT_EQ(slots[3].parameters.at("Amount"), ParameterValue(0.25));
  EXPECT_FALSE(slots[2].is_bypassed);
  EXPECT_TRUE(slots[4].is_bypassed) << "every slot of the copy";
}

TEST(Expand, ChangesNothingOfAShowWithoutMacros) {
  const auto show = parse(show_with(slot("a", "clip") + slot("w", "window"), ""), "s.toml");
  EXPECT_EQ(expand(*show), *show);
}

TEST(OutputChain, StandsInFrontOfWhatShowsThePicture) {
  EXPECT_THAT(wiring_of(show_with(slot("a", "clip") + slot("w", "window") + slot("n", "null"),
                                  kLook, "output_chain = \"look\"")),
              ElementsAre("a()", "output:a/blur(a)", "output:a/glow(output:a/blur)",
                          "w(output:a/glow)", "n(w)"));
}

TEST(OutputChain, StandsInFrontOfACameraForOtherPrograms) {
  EXPECT_THAT(
      wiring_of(
          show_with(slot("a", "clip") + slot("c", "camera-out"), kLook, "output_chain = \"look\"")),
      ElementsAre("a()", "output:a/blur(a)", "output:a/glow(output:a/blur)", "c(output:a/glow)"));
}

TEST(OutputChain, IsPassedOnceHoweverManyOutputsFollow) {
  EXPECT_THAT(
      wiring_of(show_with(slot("a", "clip") + slot("w", "window") + slot("s", "stream-out") +
                              slot("r", "record") + slot("v", "window", "inputs = [\"a\"]"),
                          kLook, "output_chain = \"look\"")),
      ElementsAre("a()", "output:a/blur(a)", "output:a/glow(output:a/blur)", "w(output:a/glow)",
                  "s(w)", "r(s)", "v(output:a/glow)"));
}

TEST(OutputChain, DoesNotChangeWhatIsStreamed) {
  EXPECT_THAT(wiring_of(show_with(slot("a", "clip") + slot("s", "stream-out") + slot("w", "window"),
                                  kLook, "output_chain = \"look\"")),
              ElementsAre("a()", "s(a)", "output:s/blur(s)", "output:s/glow(output:s/blur)",
                          "w(output:s/glow)"));
}

TEST(OutputChain, IsOneOfTheShowsSubmixesWithOneInputAndOneOutput) {
  const auto slots = slot("a", "clip");
  EXPECT_THAT(problems_of(show_with(slots, kLook, "output_chain = \"lok\"")),
              HasSubstr("submix \"lok\" is not in the show (did you mean \"look\"?)"));
  EXPECT_THAT(problems_of(show_with(slots, kLook, "output_chain = \"mix\"")),
              HasSubstr("submix \"mix\" has 0 \"stream-out\" slots"));
}

TEST(Macros, AreRefusedWithTheReason) {
  const auto a = slot("a", "clip");
  EXPECT_THAT(problems_of(show_with(a + slot("l", "submix/lok"))),
              HasSubstr("submix \"mix\", slot \"l\": plugin \"submix/lok\": submix \"lok\" is not "
                        "in the show (did you mean \"look\"?)"));
  EXPECT_THAT(problems_of(show_with(slot("l", "submix/look"))),
              HasSubstr("there is no slot above this one"));
  EXPECT_THAT(problems_of(show_with(a + slot("l", "submix/look", "inputs = [\"a\", \"a\"]"))),
              HasSubstr("takes 1 input, but \"inputs\" names 2"));
  EXPECT_THAT(problems_of(show_with(a + slot("l", "submix/mix"))),
              HasSubstr("in a circle: mix -> mix"));
  EXPECT_THAT(
      problems_of(show_with(
          a + slot("l", "submix/look", "    [submix.slot.parameters]\n    \"blr.Amount\" = 1\n"))),
      HasSubstr("(did you mean \"blur\"?)"));
  const auto endless = "[[submix]]\nname = \"o\"\n" + slot("out", "stream-out");
  EXPECT_THAT(problems_of(show_with(a + slot("l", "submix/o"), endless)),
              HasSubstr("no slot above this one"));
}

TEST(Macros, ThatFeedEachOtherAreACircle) {
  const auto pass =
      "[[submix]]\nname = \"pass\"\n" + slot("i", "stream-in") + slot("o", "stream-out");
  EXPECT_THAT(problems_of(show_with(
                  slot("x", "submix/pass", "inputs = [\"y\"]") + slot("y", "submix/pass"), pass)),
              HasSubstr("in a circle"));
}

TEST(Macros, KeepTheDelaysInside) {
  const auto echo = "[[submix]]\nname = \"echo\"\n" + slot("i", "stream-in") +
                    slot("late", "frei0r/blend", "inputs = [\"i\", \"late@2\"]") +
                    slot("twice", "frei0r/blend", "inputs = [\"late\", \"i@3\"]") +
                    slot("o", "stream-out");
  const auto show = parse(show_with(slot("a", "clip") + slot("l", "submix/echo"), echo), "s.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  const auto slots = expand(*show).submixes[0].slots;
  EXPECT_EQ(slots[1].inputs, (std::vector<std::string>{"a", "l/late@2"}));
  EXPECT_EQ(slots[2].inputs, (std::vector<std::string>{"l/late", "a@3"}));
  EXPECT_THAT(
      problems_of(show_with(slot("a", "clip") + slot("l", "submix/look", "inputs = [\"a@1\"]"))),
      HasSubstr(
          "input \"a@1\": the first input gives each frame its number and cannot be delayed"));
}

// A submix that blends its second input, delayed by `inner` frames, into its first input.
std::string echo(std::string_view inner) {
  return "[[submix]]\nname = \"echo\"\n" + slot("now", "stream-in") + slot("late", "stream-in") +
         slot("mix", "frei0r/blend", fmt::format("inputs = [\"now\", \"late{}\"]", inner)) +
         slot("out", "stream-out");
}

TEST(Macros, MayStandInALoopWhoseDelayIsInside) {
  const auto show =
      parse(show_with(slot("a", "clip") + slot("e", "submix/echo", "inputs = [\"a\", \"fx\"]") +
                          slot("fx", "frei0r/blur"),
                      echo("@2")),
            "s.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  EXPECT_EQ(expand(*show).submixes[0].slots[1].inputs, (std::vector<std::string>{"a", "fx@2"}));
}

TEST(Macros, MayReadTheirOwnOutputLate) {
  const auto show =
      parse(show_with(slot("a", "clip") + slot("e", "submix/echo", "inputs = [\"a\", \"e@3\"]"),
                      echo("")),
            "s.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  EXPECT_EQ(expand(*show).submixes[0].slots[1].inputs, (std::vector<std::string>{"a", "e/mix@3"}));
}

TEST(Macros, AddTheDelayOfTheirPlaceToTheOneInside) {
  const auto in_front = [](int delay) {
    return show_with(slot("a", "clip") +
                         slot("e", "submix/echo", fmt::format("inputs = [\"a\", \"e@{}\"]", delay)),
                     echo("@100"));
  };
  const auto show = parse(in_front(20), "s.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  EXPECT_EQ(expand(*show).submixes[0].slots[1].inputs,
            (std::vector<std::string>{"a", "e/mix@120"}));
  EXPECT_EQ(problems_of(in_front(21)),
            "show.toml:4: submix \"mix\", slot \"e/mix\": its input \"e/late\" is 121 frames late "
            "with the delays in front of it, more than 120; shorten one of them");
}

TEST(Macros, WhoseDelayedInputIsReadFirstInsideAreRefused) {
  const auto swapped =
      "[[submix]]\nname = \"echo\"\n" + slot("now", "stream-in") + slot("late", "stream-in") +
      slot("mix", "frei0r/blend", "inputs = [\"late\", \"now\"]") + slot("out", "stream-out");
  EXPECT_THAT(
      problems_of(show_with(
          slot("a", "clip") + slot("e", "submix/echo", "inputs = [\"a\", \"a@3\"]"), swapped)),
      HasSubstr("submix \"mix\", slot \"e/mix\": its first input, \"e/late\", is what is read 3 "
                "frames late in front of it: the first input gives each frame its number"));
  const auto passes = "[[submix]]\nname = \"echo\"\n" + slot("now", "stream-in") +
                      slot("late", "stream-in") + slot("out", "stream-out", "inputs = [\"late\"]");
  EXPECT_THAT(
      problems_of(show_with(
          slot("a", "clip") + slot("e", "submix/echo", "inputs = [\"a\", \"e@3\"]"), passes)),
      HasSubstr("slot \"e/out\": its first input, \"e/late\", is what is read 3 frames late"));
}

TEST(Macros, ThatHaveALoopWithoutADelayInsideAreToldOnce) {
  const auto loop = "[[submix]]\nname = \"loop\"\n" + slot("in", "stream-in") +
                    slot("m", "frei0r/blend", "inputs = [\"in\", \"f\"]") +
                    slot("f", "frei0r/blur", "inputs = [\"m\"]") + slot("out", "stream-out");
  const auto problems = problems_of(show_with(slot("a", "clip") + slot("l", "submix/loop"), loop));
  EXPECT_THAT(problems,
              HasSubstr("submix \"loop\": slots feed each other in a circle: f -> m -> f"));
  EXPECT_EQ(problems.find("in a circle"), problems.rfind("in a circle"));
}

TEST(Macros, ThatFeedEachOtherByAnotherSlotAreACircleThroughTheirInside) {
  EXPECT_THAT(problems_of(show_with(slot("a", "clip") +
                                        slot("e", "submix/echo", "inputs = [\"a\", \"fx\"]") +
                                        slot("fx", "frei0r/blur", "inputs = [\"e\"]"),
                                    echo(""))),
              HasSubstr("in a circle: e/mix -> e/out -> e -> fx -> e/late -> e/mix"));
}

TEST(CheckPlugins, SeesALoopThroughASubmixByWhatPluginsReadByDefault) {
  const Catalogue plugins{{"clip", {0, {}}},
                          {"frei0r/blur", {1, {}}},
                          {"frei0r/blend", {2, {}}},
                          {"stream-in", {0, {}}},
                          {"stream-out", {1, {}}}};
  const auto check = [&](std::string_view inner) {
    const auto show =
        parse(show_with(slot("a", "clip") + slot("e", "submix/echo", "inputs = [\"a\", \"fx\"]") +
                            slot("fx", "frei0r/blur"),
                        echo(inner)),
              "s.toml");
    return show ? to_string(check_plugins(*show, 0, plugins)) : to_string(show.error());
  };
  EXPECT_THAT(check(""), HasSubstr("in a circle"));
  EXPECT_EQ(check("@1"), "");
}

TEST(Macros, ThatFeedThemselvesByTheirOutputAreACircle) {
  const auto others = "[[submix]]\nname = \"pass\"\n" + slot("i", "stream-in") +
                      slot("o", "stream-out") + "[[submix]]\nname = \"loop\"\n" +
                      slot("m", "submix/pass", "inputs = [\"out\"]") + slot("out", "stream-out");
  EXPECT_THAT(problems_of(show_with(slot("p", "submix/loop") + slot("w", "null"), others)),
              HasSubstr("in a circle"));
}

TEST(OutputChain, IsNotPutInFrontOfADelayedFirstInputSinceThatIsRefused) {
  EXPECT_THAT(problems_of(show_with(slot("a", "clip") + slot("w", "window", "inputs = [\"a@2\"]"),
                                    kLook, "output_chain = \"look\"")),
              HasSubstr("the first input gives each frame its number and cannot be delayed"));
}

TEST(Macros, GrowToALimitOfSlots) {
  std::string others;
  for (int depth = 0; depth < 40; ++depth) {
    others += fmt::format("[[submix]]\nname = \"d{}\"\n", depth) + slot("i", "stream-in");
    const auto inner = depth == 0 ? "frei0r/glow" : fmt::format("submix/d{}", depth - 1);
    others += slot("one", inner) + slot("two", inner) + slot("o", "stream-out");
  }
  EXPECT_THAT(
      problems_of(show_with(slot("a", "clip") + slot("l", "submix/d39"), others)),
      HasSubstr(
          "submix \"mix\": over a thousand slots, with those of the submixes that stand in it, "
          "are more than 64"));
}

TEST(FormOfMacro, NamesParametersByTheirSlots) {
  const auto show = parse(show_with(slot("a", "clip") + slot("l", "submix/look")), "s.toml");
  const Catalogue plugins{{"clip", {0, {}}},
                          {"frei0r/blur", {1, {"Amount"}}},
                          {"frei0r/glow", {1, {"B"}}},
                          {"stream-in", {0, {}}},
                          {"stream-out", {1, {}}}};
  const auto form = form_of_macro(*show, show->submixes[1], plugins);
  EXPECT_EQ(form.inputs, 1U);
  EXPECT_THAT(form.parameters, ElementsAre("blur.Amount", "glow.B"));
}

TEST(CheckPlugins, LooksIntoTheSubmixesThatStandInOne) {
  const auto parameters = "    [submix.slot.parameters]\n    \"blur.Amont\" = 0.75\n";
  const auto show =
      parse(show_with(slot("a", "clip") + slot("l", "submix/look", parameters)), "s.toml");
  const Catalogue plugins{{"clip", {0, {}}},
                          {"frei0r/blur", {1, {"Amount"}}},
                          {"stream-in", {0, {}}},
                          {"stream-out", {1, {}}}};
  const auto text = to_string(check_plugins(*show, 0, plugins));
  EXPECT_THAT(text, HasSubstr("no parameter \"blur.Amont\" (did you mean \"blur.Amount\"?)"));
  EXPECT_THAT(text,
              HasSubstr("submix \"look\", slot \"glow\": plugin \"frei0r/glow\" is not on node"));
}

}  // namespace
}  // namespace submix::show
