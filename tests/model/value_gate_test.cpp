// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/value_gate.hpp"

#include "common/show/validate.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/show_editor.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <random>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const show::Port kScreen{"mix", "screen"};

cluster::ParameterSummary parameter(show::ParameterValue initial,
                                    std::vector<std::string> choices = {}) {
  return {"p", "", "", std::move(initial), 0, 1, std::move(choices)};
}

cluster::ParameterSummary number(std::string name, double most, bool is_integer = false) {
  return {std::move(name), "number", "", 0.0, 0.0, most, {}, is_integer};
}

// Of the sample show's clip, glow and window.
PluginMap gate_plugins() {
  PluginMap plugins;
  plugins["clip"] = {"clip",
                     "source",
                     "",
                     "",
                     {{"file", "text", "", std::string(), 0, 1, {}},
                      {"loop", "switch", "", true, 0, 1, {}},
                      {"fit", "text", "", std::string("inside"), 0, 1, {"inside", "cover"}},
                      number("speed", 100)}};
  plugins["frei0r/glow"] = {
      "frei0r/glow",
      "filter",
      "",
      "",
      {number("Blur", 1), {"Colour", "colour", "", std::vector<double>{1, 1, 1}, 0, 1, {}}}};
  plugins["window"] = {"window", "output", "", "", {number("display", 15, true)}};
  return plugins;
}

Result<Edit> admit(const show::Show& show, Edit edit) {
  return admitted(&show, gate_plugins(), std::move(edit));
}
const show::Parameters& clip_of(const show::Show& show) {
  return show.find_slot(sample::kClip)->parameters;
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
  EXPECT_EQ(value_fault(parameter(0.0), 99.0),
            "99 is not within 0 to 1; give a number from 0 to 1");
  EXPECT_EQ(value_fault(parameter(0.0), -0.5),
            "-0.5 is not within 0 to 1; give a number from 0 to 1");
  EXPECT_THAT(value_fault(parameter(0.0), std::nan("")), HasSubstr("is not within 0 to 1"));
  EXPECT_EQ(value_fault(parameter(std::vector<double>{1, 0, 0}), std::vector<double>{1, 7, 0}),
            "7 is not within 0 to 1; give a number from 0 to 1");
}

TEST(ValueFault, HoldsATextToItsChoices) {
  EXPECT_EQ(value_fault(parameter("bars", {"bars", "box"}), "box"), "");
  EXPECT_EQ(value_fault(parameter("bars", {"bars", "box"}), "bar"),
            "\"bar\" is not one of bars, box (did you mean \"bars\"?)");
}

TEST(Fitted, RoundsOnlyWhatIsCounted) {
  EXPECT_EQ(fitted(number("display", 15, true), 1.6), show::ParameterValue(2.0));
  EXPECT_EQ(fitted(number("Blur", 1), 0.6), show::ParameterValue(0.6));
}

TEST(Admitted, RefusesAValueOfAnotherTypeOrBeyondTheRangeWithItsPlace) {
  const auto show = sample::show();
  EXPECT_EQ(why(admit(show, SetParameter{sample::kClip, "loop", 0.7})),
            "left.clip.loop: 0.7 is not true or false");
  EXPECT_EQ(why(admit(show, SetParameter{sample::kGlow, "Blur", 5.0})),
            "left.glow.Blur: 5 is not within 0 to 1; give a number from 0 to 1");
  EXPECT_THAT(why(admit(show, SetParameter{sample::kGlow, "Blru", 0.5})),
              HasSubstr("did you mean \"Blur\""));
  EXPECT_EQ(why(admit(show, SetParameter{sample::kGlow, "Blur", 0.7})), "admitted");
}

TEST(Admitted, RoundsWholeNumbersAlsoWithinAGroup) {
  const auto show = sample::show();
  const auto edit = admit(show, EditGroup{"two", {SetParameter{kScreen, "display", 1.4}}});
  ASSERT_TRUE(edit);
  EXPECT_EQ(after(show, *edit).find_slot(kScreen)->parameters.at("display"),
            show::ParameterValue(1.0));
}

TEST(Admitted, KeepsTheTypeOfAValueWhosePluginNobodyHasDescribed) {
  auto show = sample::show();
  show.find_slot(sample::kClip)->parameters = {{"loop", true}, {"file", std::string("a.mp4")}};
  const auto set = [&](const char* name, show::ParameterValue value) {
    return why(admitted(&show, {}, SetParameter{sample::kClip, name, std::move(value)}));
  };
  EXPECT_EQ(set("loop", 0.7), "left.clip.loop: 0.7 is not true or false");
  EXPECT_EQ(set("file", 5.0), "left.clip.file: 5 is not a text");
  EXPECT_EQ(set("loop", false), "admitted");
  EXPECT_EQ(set("file", std::string("b.mp4")), "admitted");
  EXPECT_EQ(set("speed", std::string("abc")), "admitted") << "nobody knows what it is";
  const auto knob = SetKnobs{{{"a", show::Knob{"a", 0, {{sample::kClip, "file", 0, 1}}}}}};
  EXPECT_THAT(why(admitted(&show, {}, knob)), HasSubstr("a knob gives a number"));
}

TEST(Admitted, AsksNothingOfThePresentValueWhereTheSlotGetsAnotherPlugin) {
  auto show = sample::show();
  show.find_slot(sample::kClip)->parameters = {{"file", std::string("a.mp4")}};
  auto other = show;
  *other.find_slot(sample::kClip) = sample::slot("clip", "noise", {{"file", 5.0}});
  EXPECT_EQ(why(admitted(&show, {}, difference(show, other, "another source"))), "admitted");
}

TEST(TurnKnob, TurnsASwitchThatNobodyHasDescribedOnAndOff) {
  auto show = sample::show();
  show.find_slot(sample::kClip)->parameters = {{"loop", true}};
  show.knobs = {{"a", 1, {{sample::kClip, "loop", 0, 1}}}};
  const auto reached = after(show, turn_knob(show, {}, "a", 0.2).value().edit);
  EXPECT_EQ(clip_of(reached).at("loop"), show::ParameterValue(false));
}

TEST(Undescribed, NamesTheValuesThatNobodyCanJudge) {
  const auto show = sample::show();
  const auto changed = after(show, EditGroup{"",
                                             {SetParameter{sample::kGlow, "Blur", 0.1},
                                              SetParameter{sample::kClip, "speed", 2.0}}});
  EXPECT_THAT(undescribed(&show, changed, gate_plugins()), IsEmpty());
  auto some = gate_plugins();
  some.erase("clip");
  EXPECT_THAT(undescribed(&show, changed, some), ElementsAre("left.clip.speed"));
}

TEST(Admitted, RefusesKnobsCuesPresetsAndOscillatorsWithValuesThatNoPluginTakes) {
  const auto show = sample::show();
  const auto knob = [](const show::Port& slot, const char* name, double to) {
    return SetKnobs{{{"a", show::Knob{"a", 0, {{slot, name, 0, to}}}}}};
  };
  EXPECT_EQ(why(admit(show, knob(sample::kClip, "loop", 1))),
            "admitted");  // a switch is on from the middle on
  EXPECT_THAT(
      why(admit(show, knob(sample::kClip, "file", 1))),
      HasSubstr(
          "knob \"a\", left.clip.file: a knob gives a number, and the parameter takes a text"));
  EXPECT_THAT(why(admit(show, knob(sample::kGlow, "Blur", 5))),
              HasSubstr("5 is not within 0 to 1"));
  const show::Cue cue{
      "x", "", 0, {}, {show::CueParameter{sample::kGlow, "Blur", std::string("abc")}}};
  EXPECT_EQ(why(admit(show, SetCues{{{"x", cue}}})),
            "cue \"x\", left.glow.Blur: \"abc\" is not a number");
  const show::Preset preset{"y", {"left", ""}, {{"glow.Blur", 7.0}}, {}};
  EXPECT_THAT(why(admit(show, SetPresets{{{"y", preset}}})),
              HasSubstr("preset \"y\", left.glow.Blur: 7"));
  show::Oscillator oscillator;
  oscillator.to = 3;
  EXPECT_THAT(why(admit(show, SetOscillator{sample::kGlow, "Blur", oscillator})),
              HasSubstr("oscillator of left.glow.Blur: 3 is not within"));
  EXPECT_THAT(why(admit(show, SetOscillator{kScreen, "display", show::Oscillator{}})),
              HasSubstr("only numbers of sources, filters and mixers can move"));
}

TEST(Admitted, DoesNotBlameAnEditForWhatTheShowHadBefore) {
  auto show = sample::show();
  show.find_slot(sample::kClip)->parameters["loop"] = 0.7;
  show.knobs = {{"a", 0, {{sample::kClip, "file", 0, 1}}}};
  EXPECT_EQ(why(admit(show, EditGroup{"", {SetBypass{sample::kGlow, true}, SetShowName{"other"}}})),
            "admitted");
  auto longer = show.knobs[0];
  longer.targets.push_back({sample::kGlow, "Blur", 0, 1});
  EXPECT_EQ(why(admit(show, SetKnobs{{{"a", longer}}})), "admitted");
}

TEST(Admitted, JudgesAWholeShowByItsSlotsOnly) {
  auto opened = sample::show();
  opened.knobs = {{"a", 0, {{sample::kClip, "file", 0, 1}}}};
  const auto whole = [&] {
    return ReplaceShow{std::make_shared<const show::Show>(opened), "open"};
  };
  EXPECT_EQ(why(admitted(nullptr, gate_plugins(), whole())), "admitted");
  opened.find_slot(sample::kGlow)->parameters["Blur"] = std::string("abc");
  EXPECT_EQ(why(admitted(nullptr, gate_plugins(), whole())),
            "left.glow.Blur: \"abc\" is not a number");
}

TEST(Admitted, KnowsTheParametersOfASubmixInASlotAsTheSameEditMakesThem) {
  auto show = sample::show();
  show.submixes.push_back({"look",
                           "",
                           {sample::slot("in", "stream-in"), sample::slot("glow", "frei0r/glow"),
                            sample::slot("out", "stream-out")}});
  auto known = gate_plugins();
  known["stream-in"] = {"stream-in", "source"};
  known["stream-out"] = {"stream-out", "output"};
  show.submixes[0].slots[1] = sample::slot("glow", "submix/look");
  EXPECT_TRUE(
      admitted(&show, with_macros(known, show), SetParameter{sample::kGlow, "glow.Blur", 0.5}));
  auto wrong = show;
  wrong.find_slot(sample::kGlow)->parameters["glow.Blur"] = 2.0;
  EXPECT_THAT(why(admitted(&show, with_macros(known, show), difference(show, wrong, "two"))),
              HasSubstr("left.glow.glow.Blur: 2 is not within 0 to 1"));
}

TEST(TurnKnob, LeavesOutWhatNoPluginTakesAndSaysSo) {
  auto show = sample::show();
  show.knobs = {{"a",
                 0,
                 {{sample::kClip, "loop", 0, 1},
                  {sample::kClip, "file", 0, 1},
                  {sample::kGlow, "Blur", 0, 5},
                  {sample::kClip, "speed", 0, 4},
                  {kScreen, "display", 0, 3}}}};
  const auto turned = turn_knob(show, gate_plugins(), "a", 0.6).value();
  EXPECT_THAT(turned.left_out,
              ElementsAre(HasSubstr("left.clip.file"), HasSubstr("left.glow.Blur")));
  const auto reached = after(show, turned.edit);
  EXPECT_EQ(clip_of(reached), (show::Parameters{{"loop", true}, {"speed", 2.4}}));
  EXPECT_EQ(reached.find_slot(kScreen)->parameters.at("display"), show::ParameterValue(2.0));
  EXPECT_EQ(reached.find_slot(sample::kGlow)->parameters,
            show.find_slot(sample::kGlow)->parameters);
  EXPECT_EQ(reached.knobs[0].value, 0.6);
}

TEST(Go, LeavesOutValuesThatNoPluginTakes) {
  auto show = sample::show();
  show.presets = {{"soft", sample::kGlow, {{"Blur", std::string("much")}}, {}}};
  show.cues = {{"x",
                "",
                0,
                {},
                {show::CueParameter{sample::kClip, "loop", 0.7},
                 show::CueParameter{sample::kClip, "speed", 2.0}, show::CuePreset{"soft"}}}};
  RunningState running;
  running.plugins = gate_plugins();
  const auto step = go(show, running, "x").value();
  EXPECT_THAT(step.left_out, ElementsAre("left.clip.loop: 0.7 is not true or false",
                                         "left.glow.Blur: \"much\" is not a number"));
  const auto reached = after(show, step.edit);
  EXPECT_EQ(clip_of(reached), (show::Parameters{{"speed", 2.0}}));
  EXPECT_EQ(reached.find_slot(sample::kGlow)->parameters,
            show.find_slot(sample::kGlow)->parameters);
}

TEST(ShowEditor, RefusesAValueThatItsPluginDoesNotTake) {
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(sample::show()), 1);
  editor.set_plugins(std::make_shared<const PluginMap>(gate_plugins()));
  const auto refused = editor.edit(SetParameter{sample::kClip, "loop", 0.7});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("left.clip.loop: 0.7 is not true or false"));
  EXPECT_FALSE(editor.edit_without_step(SetParameter{sample::kGlow, "Blur", 5.0}));
  EXPECT_EQ(*editor.draft(), sample::show());
}

// Two thousand random edits, most of them wrong.

class WrongHand {
 public:
  explicit WrongHand(unsigned seed) : random_(seed) {
    editor_.set_desired(std::make_shared<const show::Show>(sample::show()), 1);
    editor_.set_plugins(std::make_shared<const PluginMap>(gate_plugins()));
  }

  void move() {
    switch (pick(6)) {
      case 0:
        return do_edit(SetParameter{slot(), name(), value()});
      case 1:
        return do_edit(
            SetKnobs{{{"a", show::Knob{"a", 0, {{slot(), name(), any_number(), any_number()}}}}}});
      case 2:
        return do_edit(SetCues{
            {{"x", show::Cue{"x", "", 0, {}, {show::CueParameter{slot(), name(), value()}}}}}});
      case 3:
        return do_edit(SetPresets{{{"y", show::Preset{"y", slot(), {{name(), value()}}, {}}}}});
      case 4: {  // several values of OSC are one edit
        EditGroup group{"values from outside", {SetParameter{slot(), name(), value()}}};
        group.edits.emplace_back(SetParameter{slot(), name(), value()});
        return do_edit(std::move(group));
      }
      default:
        return perform();
    }
  }
  [[nodiscard]] const show::Show& show() const { return *editor_.draft(); }
  [[nodiscard]] int done() const { return done_; }

 private:
  std::size_t pick(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  show::Port slot() { return std::array{sample::kClip, sample::kGlow, kScreen}[pick(3)]; }
  std::string name() {
    return std::array{
        "file", "loop", "fit", "speed", "Blur", "Colour", "display", "nothing"}[pick(8)];
  }
  double any_number() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return std::array{0.0,   0.5,   1.0,        0.4999,    7.3,         -1.0,
                      100.0, 1e300, -kInfinity, kInfinity, std::nan("")}[pick(11)];
  }
  show::ParameterValue value() {
    switch (pick(5)) {
      case 0:
        return pick(2) == 0;
      case 1:
        return std::array{std::string(), std::string("cover"), std::string("covre")}[pick(3)];
      case 2:
        return std::vector<double>(pick(5), any_number());
      default:
        return any_number();
    }
  }
  void perform() {
    const auto& show = *editor_.draft();
    RunningState running;
    running.plugins = gate_plugins();
    const auto take = [&](auto&& performed) {
      if (performed) do_edit(performed->edit);
    };
    switch (pick(3)) {
      case 0:
        return take(turn_knob(show, running.plugins, "a", any_number()));
      case 1:
        return take(go(show, running, "x"));
      default:
        return take(apply_preset(show, running.plugins, "y"));
    }
  }
  void do_edit(const Edit& edit) {
    if (pick(2) == 0 ? editor_.edit(edit).has_value() : editor_.edit_without_step(edit).has_value())
      ++done_;
  }

  std::mt19937 random_;
  ShowEditor editor_;
  int done_ = 0;
};

TEST(ShowEditor, StaysValidWhateverWrongValuesAHandTries) {
  constexpr unsigned kSeed = 20260;
  constexpr int kMoves = 2000;
  WrongHand hand(kSeed);
  const auto known = gate_plugins();
  for (int i = 0; i < kMoves; ++i) {
    hand.move();
    ASSERT_THAT(show::validate(hand.show()), IsEmpty()) << "seed " << kSeed << ", move " << i;
    for (const auto& value : new_values(nullptr, hand.show()))
      ASSERT_EQ(fault_of(value, hand.show(), known), "") << "seed " << kSeed << ", move " << i;
  }
  EXPECT_GT(hand.done(), 100);  // some edits were right
  EXPECT_LT(hand.done(), kMoves - 100);
}

}  // namespace
}  // namespace submix::model
