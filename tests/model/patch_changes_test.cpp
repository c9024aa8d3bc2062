// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/patch_changes.hpp"

#include "common/show/validate.hpp"
#include "controller/model/view/macro_plugins.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"
#include "tests/model/show_under_edit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Inputs = std::vector<std::string>;

cluster::ParameterSummary number(std::string name) {
  return {std::move(name), "number", "", 0.5, 0, 1, {}};
}

PluginMap plugins() {
  PluginMap map;
  const auto add = [&](std::string id, std::string kind) {
    map[id].id = id;
    map[id].kind = std::move(kind);
  };
  add("clip", "source");
  add("pattern", "source");
  add("frei0r/glow", "filter");
  add("frei0r/hue", "filter");
  add("transform", "filter");
  add("keyer", "filter");
  add("frei0r/bluescreen0r", "filter");
  add("frei0r/xfade0r", "mixer2");
  add("mix", "mixer");
  add("checker", "output");
  add("window", "output");
  map["frei0r/glow"].parameters = {number("Blur"), number("Size")};
  map["frei0r/hue"].parameters = {number("Blur"), {"Size", "text", "", std::string("s"), 0, 0, {}}};
  return map;
}

TEST(InsertSlot, SaysWhyAPluginThatIsThereCannotBeUsed) {
  auto known = plugins();
  known["frei0r/partik0l"] = {.id = "frei0r/partik0l",
                              .refused_because = "it crashes when it begins"};
  const auto why = [&](const std::string& plugin) {
    return model::why(insert_slot(sample::show(), known, {"left", "glow"}, {plugin}));
  };
  EXPECT_EQ(why("frei0r/partik0l"),
            "plugin \"frei0r/partik0l\" cannot be used: it crashes when it begins");
  EXPECT_EQ(why("frei0r/partikol"),
            "plugin \"frei0r/partikol\" is not known to a node that is here");
}

class PatchChangesTest : public ShowUnderEdit {
 protected:
  [[nodiscard]] std::vector<std::string> names(const std::string& submix = "left") const {
    std::vector<std::string> found;
    for (const auto& slot : show_.find_submix(submix)->slots)
      found.push_back(slot.name);
    return found;
  }
  [[nodiscard]] const show::Slot& slot(const std::string& name,
                                       const std::string& submix = "left") const {
    return *show_.find_slot({submix, name});
  }
  Result<Edit> insert(const std::string& above, const std::string& plugin) const {
    return insert_slot(show_, plugins_, {"left", above}, {plugin});
  }

  const PluginMap plugins_ = plugins();
};

TEST_F(PatchChangesTest, AFilterIsPutBetweenASlotAndItsReaders) {
  make(insert("clip", "frei0r/hue"));
  EXPECT_THAT(names(), ElementsAre("clip", "hue", "glow", "out"));
  EXPECT_EQ(slot("hue").inputs, std::nullopt);
  EXPECT_EQ(slot("glow").inputs, std::nullopt);
}

TEST_F(PatchChangesTest, ReadersThatNameTheSlotAboveReadTheNewFilterToo) {
  show_.find_slot({"left", "out"})->inputs = Inputs{"clip"};
  make(insert("clip", "frei0r/hue"));
  EXPECT_EQ(slot("out").inputs, Inputs{"hue"});
}

TEST_F(PatchChangesTest, ADelayedReaderKeepsReadingTheOldSlot) {
  show_.find_submix("left")->slots.insert(show_.find_submix("left")->slots.begin() + 2,
                                          {.name = "mix",
                                           .plugin = "frei0r/xfade0r",
                                           .parameters = {},
                                           .inputs = Inputs{"glow", "clip@3"}});
  make(insert("clip", "frei0r/hue"));
  EXPECT_EQ(slot("mix").inputs, (Inputs{"glow", "clip@3"}));
}

TEST_F(PatchChangesTest, ASourceOrAnOutputChangesWhatNoOtherReads) {
  make(insert("clip", "pattern"));
  EXPECT_THAT(names(), ElementsAre("clip", "pattern", "glow", "out"));
  EXPECT_EQ(slot("glow").inputs, Inputs{"clip"});
  make(insert("glow", "window"));
  EXPECT_EQ(slot("window").inputs, std::nullopt);
  EXPECT_EQ(slot("out").inputs, Inputs{"glow"});
}

TEST_F(PatchChangesTest, AMixerReadsTheSlotAboveAndTheNextThatNobodyReads) {
  make(insert("clip", "pattern"));
  make(insert("glow", "frei0r/xfade0r"));
  EXPECT_EQ(slot("xfade0r").inputs, (Inputs{"glow", "pattern"}));
  EXPECT_EQ(slot("out").inputs, std::nullopt) << "it reads the mixer";
}

TEST_F(PatchChangesTest, AMixerWithNothingElseToReadMixesTheSlotAboveWithItself) {
  make(insert("clip", "frei0r/xfade0r"));
  EXPECT_EQ(slot("xfade0r").inputs, (Inputs{"clip", "clip"}));
}

TEST_F(PatchChangesTest, AKeyedPictureIsSentWithItsTransparency) {
  const auto before = show_;
  for (const std::string plugin : {"keyer", "frei0r/bluescreen0r"}) {
    show_ = before;
    make(insert("glow", plugin));
    EXPECT_EQ(show_.find_stream("left")->pixels, PixelFormat::rgba) << plugin;
  }
}

TEST_F(PatchChangesTest, ATransformedPictureIsSentWithItsTransparency) {
  make(insert("clip", "frei0r/hue"));
  EXPECT_EQ(show_.find_stream("left")->pixels, PixelFormat::rgb24);
  const auto others = std::ranges::count(show_.streams, PixelFormat::rgb24, &show::Stream::pixels);
  make(insert("glow", "transform"));
  EXPECT_EQ(show_.find_stream("left")->pixels, PixelFormat::rgba);
  EXPECT_EQ(std::ranges::count(show_.streams, PixelFormat::rgb24, &show::Stream::pixels),
            others - 1)
      << "no other submix's";
}

TEST_F(PatchChangesTest, ASlotGetsAFreeName) {
  make(insert("glow", "frei0r/glow"));
  EXPECT_THAT(names(), ElementsAre("clip", "glow", "glow-2", "out"));
}

TEST_F(PatchChangesTest, NothingThatReadsCanBeInsertedOnTop) {
  EXPECT_THAT(why(insert("", "frei0r/hue")), HasSubstr("nothing stands above it on top"));
  make(insert("", "pattern"));
  EXPECT_THAT(names(), ElementsAre("pattern", "clip", "glow", "out"));
}

TEST_F(PatchChangesTest, WhatNobodyDescribedIsNotInserted) {
  EXPECT_THAT(why(insert("clip", "frei0r/unheard")),
              HasSubstr("plugin \"frei0r/unheard\" is not known"));
  EXPECT_THAT(why(insert("clop", "frei0r/hue")), HasSubstr("did you mean \"clip\""));
  EXPECT_THAT(why(insert_slot(show_, plugins_, {"lfet", ""}, {"pattern"})),
              HasSubstr("did you mean \"left\""));
}

TEST_F(PatchChangesTest, ReadersOfADeletedSlotReadWhatItRead) {
  show_.find_slot({"left", "out"})->inputs = Inputs{"glow"};
  make(delete_slot(show_, plugins_, {"left", "glow"}));
  EXPECT_THAT(names(), ElementsAre("clip", "out"));
  EXPECT_EQ(slot("out").inputs, Inputs{"clip"});
}

TEST_F(PatchChangesTest, ADeletedMixerLeavesItsFirstInput) {
  make(insert("clip", "pattern"));
  make(insert("glow", "frei0r/xfade0r"));
  make(delete_slot(show_, plugins_, {"left", "xfade0r"}));
  EXPECT_EQ(slot("out").inputs, std::nullopt);
  make(delete_slot(show_, plugins_, {"left", "pattern"}));
  EXPECT_THAT(names(), ElementsAre("clip", "glow", "out"));
}

TEST_F(PatchChangesTest, ReadersOfADeletedSlotThatReadsItselfReadWhatElseItRead) {
  auto& slots = show_.find_submix("left")->slots;
  slots[1] = {.name = "echo",
              .plugin = "frei0r/xfade0r",
              .parameters = {},
              .inputs = Inputs{"echo@1", "clip"}};
  slots[2].inputs = Inputs{"echo"};
  make(delete_slot(show_, plugins_, {"left", "echo"}));
  EXPECT_EQ(slot("out").inputs, Inputs{"clip"});
}

TEST_F(PatchChangesTest, ASlotThatReadsItselfOnlyIsNotDeletedWhileItIsRead) {
  auto& slots = show_.find_submix("left")->slots;
  slots[1] = {.name = "echo", .plugin = "frei0r/hue", .parameters = {}, .inputs = Inputs{"echo@1"}};
  slots[2].inputs = Inputs{"echo"};
  EXPECT_THAT(why(delete_slot(show_, plugins_, {"left", "echo"})),
              HasSubstr("reads nothing else that could take its place"));
}

TEST_F(PatchChangesTest, ReadersOfADeletedSlotAreAsLateAsBothWere) {
  auto& slots = show_.find_submix("left")->slots;
  slots.insert(slots.begin() + 2, {.name = "fade",
                                   .plugin = "frei0r/xfade0r",
                                   .parameters = {},
                                   .inputs = Inputs{"clip", "glow@2"}});
  make(delete_slot(show_, plugins_, {"left", "glow"}));
  EXPECT_EQ(slot("fade").inputs, (Inputs{"clip", "clip@2"}));
}

TEST_F(PatchChangesTest, ASourceThatIsReadIsNotDeleted) {
  EXPECT_THAT(why(delete_slot(show_, plugins_, {"left", "clip"})),
              HasSubstr("\"left.clip\" is read by \"glow\""));
}

TEST_F(PatchChangesTest, TheStreamOfADeletedOutputGoesWithIt) {
  const auto edit = delete_slot(show_, plugins_, {"left", "out"});
  make(edit);
  EXPECT_EQ(title(*edit), "delete left.out and stream left");
  EXPECT_TRUE(show_.streams.empty());
}

TEST_F(PatchChangesTest, AMovedFilterMovesInTheChain) {
  make(insert("glow", "frei0r/hue"));
  make(move_slot(show_, plugins_, {"left", "hue"}, "clip"));
  EXPECT_THAT(names(), ElementsAre("clip", "hue", "glow", "out"));
  for (const auto& name : names())
    EXPECT_EQ(slot(name).inputs, std::nullopt) << name;
}

TEST_F(PatchChangesTest, AMovedSourceIsReadByWhomItWasReadBy) {
  make(insert("", "pattern"));
  make(move_slot(show_, plugins_, {"left", "clip"}, "out"));
  EXPECT_THAT(names(), ElementsAre("pattern", "glow", "out", "clip"));
  EXPECT_EQ(slot("glow").inputs, Inputs{"clip"});
}

TEST_F(PatchChangesTest, AMoveToItsOwnPlaceIsNoEdit) {
  for (const auto* above : {"clip", "glow"}) {
    const auto edit = move_slot(show_, plugins_, {"left", "glow"}, above);
    ASSERT_TRUE(edit);
    EXPECT_TRUE(std::get<EditGroup>(*edit).edits.empty());
  }
}

TEST_F(PatchChangesTest, AFilterCannotMoveToTheTop) {
  EXPECT_THAT(why(move_slot(show_, plugins_, {"left", "glow"}, "")),
              HasSubstr("cannot stand on top"));
}

TEST_F(PatchChangesTest, AnInputIsConnectedWithADelay) {
  make(insert("clip", "frei0r/xfade0r"));
  make(connect_input(show_, plugins_, {"left", "xfade0r"}, 1, {"glow", 2}));
  EXPECT_EQ(slot("xfade0r").inputs, (Inputs{"clip", "glow@2"}));
  EXPECT_THAT(why(connect_input(show_, plugins_, {"left", "xfade0r"}, 2, {"clip", 0})),
              HasSubstr("takes 2 inputs; there is no input 3"));
  EXPECT_THAT(why(connect_input(show_, plugins_, {"left", "xfade0r"}, 1, {"glow", 0})),
              HasSubstr("in a circle"));
}

TEST_F(PatchChangesTest, AMixGetsMoreInputsAndFewerButNeverOneAlone) {
  const show::Port mix{"left", "mix"};
  make(insert("clip", "mix"));
  EXPECT_EQ(slot("mix").inputs, (Inputs{"clip", "clip"}));
  EXPECT_THAT(why(connect_input(show_, plugins_, mix, 3, {"clip", 0})),
              HasSubstr("has 2 inputs; the next one is input 3"));
  make(insert("mix", "pattern"));
  make(connect_input(show_, plugins_, mix, 2, {"pattern", 0}));
  EXPECT_EQ(slot("mix").inputs, (Inputs{"clip", "clip", "pattern"}));
  EXPECT_THAT(why(disconnect_input(show_, plugins_, mix, 3)), HasSubstr("there is no input 4"));
  show_.find_slot(mix)->parameters = {
      {"level1", 0.1}, {"level3", 0.3}, {"mode", std::string("add")}};
  make(disconnect_input(show_, plugins_, mix, 0));
  EXPECT_EQ(slot("mix").inputs, (Inputs{"clip", "pattern"}));
  EXPECT_EQ(slot("mix").parameters,
            (show::Parameters{{"level2", 0.3}, {"mode", std::string("add")}}));
  EXPECT_THAT(why(disconnect_input(show_, plugins_, mix, 0)),
              HasSubstr("takes no fewer than 2 inputs"));
}

TEST_F(PatchChangesTest, AnInputMovesOnlyToAPlaceThatThereIs) {
  make(insert("clip", "mix"));
  const auto count = slot("mix").inputs->size();
  EXPECT_THAT(why(move_input(show_, plugins_, {"left", "mix"}, 0, count)),
              HasSubstr(fmt::format("there is no input {}", count + 1)));
}

TEST_F(PatchChangesTest, AMixTakesAllThatNobodyReads) {
  make(insert("clip", "pattern"));
  make(insert("pattern", "clip"));
  make(insert("clip-2", "mix"));
  EXPECT_EQ(slot("mix").inputs, (Inputs{"clip-2", "pattern"}));
}

TEST_F(PatchChangesTest, AMixThatReplacesAnotherMixerKeepsItsInputs) {
  make(insert("clip", "frei0r/xfade0r"));
  const auto before = slot("xfade0r").inputs;
  make(replace_plugin(show_, plugins_, {"left", "xfade0r"}, "mix"));
  EXPECT_EQ(slot("xfade0r").inputs, before);
}

TEST_F(PatchChangesTest, AnInputThatIsTheSlotAboveIsNotStated) {
  make(connect_input(show_, plugins_, {"left", "out"}, 0, {"clip", 0}));
  EXPECT_EQ(slot("out").inputs, Inputs{"clip"});
  make(delete_slot(show_, plugins_, {"left", "glow"}));
  EXPECT_EQ(slot("out").inputs, Inputs{"clip"}) << "what the show states stays stated";
}

TEST_F(PatchChangesTest, ARenamedSlotIsFollowed) {
  show_.find_slot({"left", "out"})->inputs = Inputs{"glow"};
  make(rename_slot(show_, {"left", "glow"}, "shine"));
  EXPECT_EQ(slot("out").inputs, Inputs{"shine"});
  EXPECT_EQ(slot("shine").parameters.size(), 1U);
  make(rename_slot(show_, {"left", "out"}, "exit"));
  EXPECT_EQ(show_.streams.front().from, (show::Port{"left", "exit"}));
  EXPECT_THAT(why(rename_slot(show_, {"left", "exit"}, "clip")), HasSubstr("already"));
  EXPECT_THAT(why(rename_slot(show_, {"left", "exit"}, "A B")), HasSubstr("cannot be a name"));
}

TEST_F(PatchChangesTest, SubmixesInSlotsFollowTheirInnerSlots) {
  show::Slot use = sample::slot("look", "submix/left", {{"glow.Blur", 0.1}});
  use.oscillators = {{"glow.Size", {.frequency = 3}}};
  show_.find_submix("mix")->slots.push_back(use);
  make(rename_slot(show_, {"left", "glow"}, "shine"));
  EXPECT_EQ(slot("look", "mix").parameters, (show::Parameters{{"shine.Blur", 0.1}}));
  EXPECT_EQ(slot("look", "mix").oscillators, (show::Oscillators{{"shine.Size", {.frequency = 3}}}));
  make(delete_slot(show_, plugins_, {"left", "shine"}));
  EXPECT_TRUE(slot("look", "mix").parameters.empty());
  EXPECT_TRUE(slot("look", "mix").oscillators.empty());
}

TEST_F(PatchChangesTest, SubmixesInsideSubmixesFollowTheirInnermostSlots) {
  auto& slots = show_.find_submix("mix")->slots;
  slots.push_back(sample::slot("look", "submix/left", {{"glow.Blur", 0.1}}));
  slots.push_back(sample::slot("exit", "stream-out"));
  show::Slot use =
      sample::slot("inner", "submix/mix", {{"look.glow.Blur", 0.2}, {"look.glower.Blur", 1.0}});
  use.oscillators = {{"look.glow.Size", {.frequency = 3}}};
  show_.submixes.push_back({"top", "rack2", {sample::slot("clip", "clip"), use}});
  make(rename_slot(show_, {"left", "glow"}, "shine"));
  EXPECT_EQ(slot("inner", "top").parameters,
            (show::Parameters{{"look.shine.Blur", 0.2}, {"look.glower.Blur", 1.0}}));
  EXPECT_EQ(slot("inner", "top").oscillators,
            (show::Oscillators{{"look.shine.Size", {.frequency = 3}}}));
  make(rename_slot(show_, {"mix", "look"}, "sight"));
  EXPECT_TRUE(slot("inner", "top").parameters.contains("sight.shine.Blur"));
  make(delete_slot(show_, plugins_, {"left", "shine"}));
  EXPECT_EQ(slot("inner", "top").parameters, (show::Parameters{{"sight.glower.Blur", 1.0}}));
}

TEST_F(PatchChangesTest, TheSoundFollowsItsClipIntoSubmixesInsideSubmixes) {
  show_.find_submix("mix")->slots.push_back(sample::slot("look", "submix/left"));
  show_.find_submix("mix")->slots.push_back(sample::slot("exit", "stream-out"));
  show_.submixes.push_back(
      {"top", "rack2", {sample::slot("source", "pattern"), sample::slot("inner", "submix/mix")}});
  show_.sound = {"rack2", "clip:top.inner/look/clip"};
  make(rename_slot(show_, {"left", "clip"}, "film"));
  EXPECT_EQ(show_.sound.device, "clip:top.inner/look/film");
  make(rename_slot(show_, {"mix", "look"}, "sight"));
  make(rename_slot(show_, {"top", "inner"}, "clip"));
  EXPECT_EQ(show_.sound.device, "clip:top.clip/sight/film");
  make(rename_slot(show_, {"left", "glow"}, "clip"));
  EXPECT_EQ(show_.sound.device, "clip:top.clip/sight/film") << "another slot";
}

TEST_F(PatchChangesTest, TheSoundFollowsItsClipInTheOutputChain) {
  show_.sound = {"rack2", "clip:mix.output:left/clip"};
  show_.output_chain = "left";
  ASSERT_TRUE(rename_slot(show_, {"left", "clip"}, "film"));
  const auto renamed = *rename_slot(show_, {"left", "clip"}, "film");
  EXPECT_EQ(after(show_, renamed).sound.device, "clip:mix.output:left/film");
  const auto behind = *rename_slot(show_, {"mix", "left"}, "in");
  EXPECT_EQ(after(show_, behind).sound.device, "clip:mix.output:in/clip");
}

TEST_F(PatchChangesTest, KnobsPresetsAndCuesFollowTheSlotsInsideSubmixes) {
  const show::Port look{"mix", "look"};
  show_.find_submix("mix")->slots.push_back(
      sample::slot("look", "submix/left", {{"glow.Blur", 0.1}}));
  show_.knobs = {{"energy", 0, {{look, "glow.Blur", 0, 1}}}};
  show_.presets = {{"soft", look, {{"glow.Blur", 0.3}}, {}},
                   {"all", {"mix", ""}, {{"look.glow.Blur", 0.3}}, {}}};
  show_.cues = {
      {.name = "finale", .text = {}, .changes = {show::CueParameter{look, "glow.Blur", 0.4}}}};
  make(rename_slot(show_, {"left", "glow"}, "shine"));
  EXPECT_EQ(show_.knobs[0].targets.at(0).parameter, "shine.Blur");
  EXPECT_TRUE(show_.presets[0].parameters.contains("shine.Blur"));
  EXPECT_TRUE(show_.presets[1].parameters.contains("look.shine.Blur"));
  EXPECT_EQ(std::get<show::CueParameter>(show_.cues[0].changes.at(0)).parameter, "shine.Blur");
  make(delete_slot(show_, plugins_, {"left", "shine"}));
  EXPECT_TRUE(show_.knobs[0].targets.empty());
  EXPECT_TRUE(show_.presets[1].parameters.empty());
  EXPECT_TRUE(show_.cues[0].changes.empty());
}

TEST_F(PatchChangesTest, AReplacedPluginKeepsCommonParametersAndInputs) {
  show_.find_slot({"left", "glow"})->parameters = {{"Blur", 0.9}, {"Size", 0.1}};
  make(replace_plugin(show_, plugins_, {"left", "glow"}, "frei0r/hue"));
  EXPECT_EQ(slot("glow").plugin, "frei0r/hue");
  EXPECT_EQ(slot("glow").parameters, (show::Parameters{{"Blur", 0.9}})) << "Size is a text there";
  make(replace_plugin(show_, plugins_, {"left", "glow"}, "frei0r/xfade0r"));
  EXPECT_EQ(slot("glow").inputs, (Inputs{"clip", "clip"}));
  make(replace_plugin(show_, plugins_, {"left", "glow"}, "pattern"));
  EXPECT_EQ(slot("glow").inputs, std::nullopt);
}

TEST_F(PatchChangesTest, AReplacedPluginKeepsTheOscillatorsThatItMayHave) {
  auto& glow = *show_.find_slot({"left", "glow"});
  glow.oscillators = {{"Blur", {.from = 0.2, .to = 0.1}}, {"Size", {}}};
  make(replace_plugin(show_, plugins_, {"left", "glow"}, "frei0r/hue"));
  EXPECT_EQ(slot("glow").oscillators, (show::Oscillators{{"Blur", {.from = 0.2, .to = 0.1}}}));
  show_.find_slot({"left", "glow"})->oscillators.at("Blur").to = 1.5;
  make(replace_plugin(show_, plugins_, {"left", "glow"}, "frei0r/glow"));
  EXPECT_TRUE(slot("glow").oscillators.empty()) << "1.5 is more than it takes";
}

TEST_F(PatchChangesTest, ADuplicateStandsBehindTheOriginal) {
  make(duplicate_slot(show_, plugins_, {"left", "glow"}));
  EXPECT_THAT(names(), ElementsAre("clip", "glow", "glow-2", "out"));
  EXPECT_EQ(slot("glow-2").parameters, slot("glow").parameters);
}

TEST_F(PatchChangesTest, SoloBypassesTheOtherFiltersAsOneEdit) {
  make(insert("glow", "frei0r/hue"));
  make(solo_slot(show_, plugins_, {"left", "glow"}));
  EXPECT_TRUE(slot("hue").is_bypassed);
  EXPECT_FALSE(slot("glow").is_bypassed);
  EXPECT_FALSE(slot("clip").is_bypassed);
  EXPECT_TRUE(is_solo(show_, plugins_, {"left", "glow"}));
  make(solo_slot(show_, plugins_, {"left", "hue"}));
  EXPECT_TRUE(slot("glow").is_bypassed);
  make(solo_slot(show_, plugins_, {"left", "hue"}));
  EXPECT_FALSE(slot("glow").is_bypassed);
}

TEST_F(PatchChangesTest, WithoutDescriptionsNothingIsDoneThatCouldChangeWhatASlotReads) {
  const PluginMap nothing;
  EXPECT_TRUE(delete_slot(show_, nothing, {"left", "glow"}))
      << "out reads the slot above in any case";
  const auto moved = move_slot(show_, nothing, {"left", "clip"}, "glow");
  ASSERT_FALSE(moved);
  EXPECT_THAT(moved.error().message, HasSubstr("not known while no node describes it"));
}

}  // namespace
}  // namespace submix::model
