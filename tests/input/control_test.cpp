// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/input/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace submix::input {
namespace {

using show::ParameterValue;
using ::testing::HasSubstr;
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class ControlTest : public ::testing::Test {
 protected:
  [[nodiscard]] Control control(std::string_view target) const {
    auto found = find_control(stage_.scene(), parse_target(target).value());
    EXPECT_TRUE(found) << found.error().message;
    return found.value();
  }
  [[nodiscard]] std::string fault(std::string_view target) const {
    const auto found = find_control(stage_.scene(), parse_target(target).value());
    return found ? "" : found.error().message;
  }
  sample::Stage stage_;
};

TEST_F(ControlTest, StandsWhereTheShowHasItOrWherePluginsBegin) {
  EXPECT_EQ(control("left.glow.Blur").present, ParameterValue(0.5));
  EXPECT_EQ(control("left.clip.speed").present, ParameterValue(1.0));
  EXPECT_EQ(position_of(control("left.clip.speed")), 0.625);
  EXPECT_EQ(position_of(control("left.clip.mode")), 0.0);
  EXPECT_EQ(position_of(control("left.glow.tint[1]")), 0.5);
  EXPECT_EQ(position_of(control("bypass left.glow")), 0.0);
  EXPECT_EQ(position_of(control("left.clip.file")), std::nullopt);
  EXPECT_EQ(position_of(control("left.glow.tint")), std::nullopt);
}

TEST_F(ControlTest, KnowsWhichTextsNameFiles) {
  EXPECT_TRUE(control("left.clip.file").names_file);
  EXPECT_FALSE(control("left.clip.mode").names_file) << "one of few words";
  EXPECT_FALSE(control("left.clip.speed").names_file);
}

TEST_F(ControlTest, TakesAnAddressForAFile) {
  auto plugins = *stage_.view().plugins;
  plugins.at("clip").parameters.push_back({"to", "text", "address to send to", std::string()});
  stage_.view().plugins = std::make_shared<const decltype(plugins)>(plugins);
  EXPECT_TRUE(control("left.clip.to").names_file);
}

TEST_F(ControlTest, SaysWhatIsNotThere) {
  EXPECT_THAT(fault("lfet.glow.Blur"),
              HasSubstr("submix \"lfet\" is not in the show (did you mean \"left\"?)"));
  EXPECT_THAT(fault("left.glwo.Blur"), HasSubstr("no slot \"glwo\" (did you mean \"glow\"?)"));
  EXPECT_THAT(fault("left.glow.Blru"), HasSubstr("no parameter \"Blru\" (did you mean \"Blur\"?)"));
  EXPECT_THAT(fault("left.glow.tint[3]"), HasSubstr("3 numbers"));
  EXPECT_THAT(fault("left.glow.Blur[0]"), HasSubstr("0 numbers"));
  stage_.view().plugins = nullptr;
  EXPECT_THAT(fault("left.glow.Blur"), HasSubstr("nothing is known of plugin \"frei0r/glow\""));
  stage_.view().show = nullptr;
  EXPECT_THAT(fault("left.glow.Blur"), HasSubstr("no show"));
}

TEST_F(ControlTest, ClampsPositionsAndValues) {
  const auto speed = control("left.clip.speed");
  EXPECT_EQ(value_at(speed, 0.5), ParameterValue(0.0));
  EXPECT_EQ(value_at(speed, 7), ParameterValue(4.0));
  EXPECT_EQ(accepted(speed, -99.0), ParameterValue(-4.0));
  EXPECT_EQ(accepted(control("left.glow.tint"), std::vector<double>{2, -1, 0.5}),
            ParameterValue(std::vector<double>{1, 0, 0.5}));
}

TEST_F(ControlTest, RefusesWhatIsNoNumber) {
  for (const double number : {kNan, HUGE_VAL, -HUGE_VAL}) {
    EXPECT_FALSE(value_at(control("left.clip.speed"), number));
    EXPECT_FALSE(accepted(control("left.clip.speed"), number));
    EXPECT_FALSE(accepted(control("left.clip.mode"), number));
    EXPECT_FALSE(accepted(control("left.glow.tint"), std::vector<double>{0, number, 0}));
  }
}

TEST_F(ControlTest, SurvivesAbsurdRangesOfAPlugin) {
  auto speed = control("left.clip.speed");
  speed.maximum = speed.minimum;
  EXPECT_EQ(position_of(speed), 0.0);
  speed.minimum = 5;
  EXPECT_TRUE(value_at(speed, 0.5));
  speed.maximum = kNan;
  EXPECT_EQ(position_of(speed), 0.0);
  EXPECT_FALSE(value_at(speed, 0.5));
}

TEST_F(ControlTest, TakesOnlyItsOwnChoices) {
  const auto mode = control("left.clip.mode");
  EXPECT_EQ(value_at(mode, 0.5), ParameterValue("loop"));
  EXPECT_EQ(accepted(mode, 2.0), ParameterValue("bounce"));
  EXPECT_EQ(accepted(mode, ParameterValue("once")), ParameterValue("once"));
  EXPECT_THAT(accepted(mode, ParameterValue("bonuce")).error().message,
              HasSubstr("did you mean \"bounce\""));
  EXPECT_EQ(accepted(control("left.clip.file"), ParameterValue("b.mkv")), ParameterValue("b.mkv"));
  EXPECT_FALSE(accepted(control("left.clip.file"), ParameterValue("\x01")));
  EXPECT_FALSE(accepted(control("assign left"), 1.0)) << "a node has a name, no number";
}

TEST_F(ControlTest, BecomesAnEditThatIsNoStepOfUndo) {
  const auto order = order_to(control("left.glow.Blur"), 0.75);
  const auto& edit = std::get<session::EditShow>(order);
  EXPECT_FALSE(edit.is_undoable);
  EXPECT_EQ(edit.edit, model::Edit(model::SetParameter{{"left", "glow"}, "Blur", 0.75}));
  EXPECT_TRUE(std::get<session::SetPaused>(order_to(control("pause"), true)).is_paused);
  EXPECT_EQ(
      std::get<SetPart>(order_to(control("left.glow.tint[1]"), std::vector<double>{1, 0.25, 0}))
          .value,
      0.25);
}

}  // namespace
}  // namespace submix::input
