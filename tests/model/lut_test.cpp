// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/lut.hpp"

#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::HasSubstr;

PluginMap plugins_with_colour() {
  PluginMap map;
  for (const auto* filter : {"colour", "frei0r/glow"}) {
    map[filter].id = filter;
    map[filter].kind = "filter";
  }
  return map;
}

show::ParameterValue lut_of(const show::Show& show, const show::Port& port) {
  const auto* slot = show.find_slot(port);
  return slot == nullptr ? "no slot" : slot->parameters.at("lut");
}

TEST(Lut, IsKnownByItsEnding) {
  EXPECT_TRUE(is_lut_name("/home/me/Warm.CUBE"));
  EXPECT_FALSE(is_lut_name("cube"));
  EXPECT_FALSE(is_lut_name("warm.cube.mp4"));
}

TEST(Lut, GetsAColourBehindTheLastPicture) {
  const auto show = sample::show();
  const auto after =
      model::after(show, apply_lut(show, plugins_with_colour(), "left", "warm.cube").value());
  const auto& slots = after.find_submix("left")->slots;
  EXPECT_EQ(lut_of(after, {"left", "colour"}), show::ParameterValue("warm.cube"));
  ASSERT_GE(slots.size(), 2U);
  EXPECT_EQ(slots[slots.size() - 2].plugin, "colour") << "in front of the output";
}

TEST(Lut, ReplacesThatOfTheLastColour) {
  auto show = sample::show();
  auto& slots = show.find_submix("left")->slots;
  for (const auto* name : {"second", "first"})
    slots.insert(slots.begin() + 1, sample::slot(name, "colour"));
  const auto after =
      model::after(show, apply_lut(show, plugins_with_colour(), "left", "warm.cube").value());
  EXPECT_EQ(lut_of(after, {"left", "second"}), show::ParameterValue("warm.cube"));
  EXPECT_EQ(after.find_submix("left")->slots.size(), slots.size());
}

TEST(Lut, GetsAColourBehindTheMixerThoughOneLayerHasOneInFrontOfIt) {
  auto show = sample::show();
  auto plugins = plugins_with_colour();
  plugins["pattern"].kind = "source";
  plugins["mix"].kind = "mixer";
  plugins["window"].kind = "output";
  auto& slots = show.find_submix("mix")->slots;
  slots = {sample::slot("left", "stream-in"), sample::slot("grade", "colour"),
           sample::slot("ground", "pattern"), sample::slot("mixer", "mix"),
           sample::slot("screen", "window")};
  slots[3].inputs = std::vector<std::string>{"grade", "ground"};

  const auto edit = apply_lut(show, plugins, "mix", "warm.cube");
  ASSERT_TRUE(edit) << edit.error().message;

  const auto after = model::after(show, *edit);
  EXPECT_TRUE(after.find_slot({"mix", "grade"})->parameters.empty());
  const auto& graded = after.find_submix("mix")->slots;
  ASSERT_EQ(graded.size(), 6U);
  EXPECT_EQ(graded[4].plugin, "colour") << "in front of the window";
  EXPECT_EQ(lut_of(after, {"mix", graded[4].name}), show::ParameterValue("warm.cube"));
}

TEST(Lut, NeedsASubmix) {
  const auto edit = apply_lut(sample::show(), plugins_with_colour(), "nobody", "warm.cube");
  ASSERT_FALSE(edit);
  EXPECT_THAT(edit.error().message, HasSubstr("nobody"));
}

}  // namespace
}  // namespace submix::model
