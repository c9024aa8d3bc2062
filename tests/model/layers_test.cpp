// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/layers.hpp"

#include "common/show/validate.hpp"
#include "controller/model/edit/new_show.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "tests/model/edited.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace submix::model {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Key;
using Inputs = std::vector<std::string>;

PluginMap plugins_of_mixes() {
  PluginMap map;
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"pattern", "source"},        {"clip", "source"}, {"stamp", "filter"},
      {"frei0r/glow", "filter"},    {"mix", "mixer"},   {"window", "output"},
      {"frei0r/xfade0r", "mixer2"}, {"null", "output"}, {"checker", "output"}};
  for (const auto& [id, kind] : kinds) {
    map[id].id = id;
    map[id].kind = kind;
  }
  map["frei0r/xfade0r"].parameters = {{"fader", "number", "", 0.0, 0, 1, {}}};
  for (const auto* level : {"level1", "level2", "level3"})
    map["mix"].parameters.push_back({level, "number", "", 1.0, 0, 1, {}});
  return map;
}

/// Two performers and the plugin that fades between two pictures.
show::Show crossfaded_show() {
  auto show = make_show({.nodes = {"left", "right", "desk"}});
  auto& mixer = *show.find_slot({"mix", "mixer"});
  mixer = {"fade", "frei0r/xfade0r", {{"fader", 0.5}}, mixer.inputs, false};
  return show;
}

class LayersTest : public ::testing::Test {
 protected:
  void make(const Result<Edit>& edit) {
    ASSERT_TRUE(edit) << edit.error().message;
    ASSERT_TRUE(apply(show_, *edit));
    EXPECT_EQ(to_string(show::validate(show_)), "");
  }
  void add(const NewLayer& layer) { make(add_layer(show_, plugins_, layer)); }
  void remove(const std::string& name) { make(delete_layer(show_, plugins_, name)); }
  [[nodiscard]] const show::Slot& mix_slot(const std::string& name) const {
    return *show_.find_slot({"mix", name});
  }
  [[nodiscard]] show::Slot& mixer_slot() { return *show_.find_slot({"mix", "mixer"}); }
  [[nodiscard]] std::vector<std::string> mix_slots() const {
    std::vector<std::string> names;
    for (const auto& slot : show_.find_submix("mix")->slots)
      names.push_back(slot.name);
    return names;
  }
  [[nodiscard]] std::vector<std::string> submixes_from_below() const {
    std::vector<std::string> names;
    for (const auto& layer : layers_of(show_, plugins_, "mix"))
      names.push_back(layer.submix);
    return names;
  }

  const PluginMap plugins_ = plugins_of_mixes();
  show::Show show_ = crossfaded_show();
};

TEST_F(LayersTest, ALayerIsLaidOverThePictureOfTheLastMixer) {
  add({.name = "third", .node = "left", .level = 0.25});
  const auto* submix = show_.find_submix("third");
  ASSERT_NE(submix, nullptr);
  EXPECT_EQ(submix->node, "left");
  EXPECT_EQ(submix->slots[0].plugin, "pattern");
  const auto* stream = show_.find_stream("third");
  ASSERT_NE(stream, nullptr);
  EXPECT_EQ(stream->policy, show::InputPolicy::hold) << "its failure must stop nobody";
  EXPECT_EQ(mix_slot("over-third").inputs, (Inputs{"fade", "third"}));
  EXPECT_EQ(mix_slot("over-third").parameters.at("level2"), show::ParameterValue(0.25));
  EXPECT_EQ(mix_slots().back(), "screen");
  EXPECT_EQ(mix_slot("screen").inputs, std::nullopt) << "it shows the new mixer above it";
}

TEST_F(LayersTest, ATitleIsSentWithTheTransparencyAroundIt) {
  add({.name = "third", .plugin = std::string(kTitlePlugin)});
  add({.name = "fourth"});
  EXPECT_EQ(show_.find_stream("third")->pixels, PixelFormat::rgba);
  EXPECT_EQ(show_.find_stream("fourth")->pixels, PixelFormat::rgb24);
}

TEST_F(LayersTest, AMixerWithAFreeInputTakesTheNextLayer) {
  add({.name = "third"});
  add({.name = "fourth", .level = 1});
  EXPECT_EQ(mix_slot("over-third").inputs, (Inputs{"fade", "third", "fourth"}));
  EXPECT_EQ(mix_slot("over-third").parameters.at("level3"), show::ParameterValue(1.0));
}

TEST_F(LayersTest, AFullMixerIsFollowedByAnother) {
  for (int i = 0; i < 15; ++i)
    add({});
  EXPECT_EQ(mix_slot("over-layer-3").inputs->size(), 16U);
  add({.name = "last"});
  EXPECT_EQ(mix_slot("over-last").inputs, (Inputs{"over-layer-3", "last"}));
}

TEST_F(LayersTest, ALayerLiesBelowTheEffectsOfTheWholeMix) {
  auto& slots = show_.find_submix("mix")->slots;
  slots.insert(slots.end() - 1, {"glow", "frei0r/glow", {}, {}, false});
  add({.name = "third"});
  EXPECT_EQ(mix_slot("glow").inputs, std::nullopt) << "it reads the new mixer above it";
  EXPECT_EQ(mix_slots()[mix_slots().size() - 3], "over-third");
}

TEST_F(LayersTest, AShowOfOnePictureBecomesAMix) {
  show_ = make_show({.nodes = {"desk"}});
  add({.name = "second"});
  EXPECT_EQ(mix_slot("over-second").inputs, (Inputs{"pattern", "second"}));
  EXPECT_EQ(show_.find_submix("second")->node, "desk");
}

TEST_F(LayersTest, ANameAndTheNodeWithTheFewestSubmixesAreChosen) {
  show_.nodes.push_back({"spare", ""});
  add({});
  EXPECT_EQ(show_.find_submix("layer-3")->node, "spare");
}

TEST_F(LayersTest, AreNamedInOneSeriesWithThoseOfANewShow) {
  add({});
  EXPECT_THAT(submixes_from_below(), ElementsAre("layer-1", "layer-2", "layer-3"));
}

TEST_F(LayersTest, AClipMayBeTheSource) {
  add({.name = "third", .plugin = "clip", .parameters = {{"file", std::string("a.mp4")}}});
  EXPECT_EQ(show_.find_submix("third")->slots[0].parameters.at("file"),
            show::ParameterValue(std::string("a.mp4")));
}

TEST_F(LayersTest, ALayerThatLeavesLeavesNothingBehind) {
  const auto before = show_;
  add({.name = "third"});
  remove("third");
  EXPECT_TRUE(show_ == before);
}

TEST_F(LayersTest, TheInputsOfAMixerAndTheirLevelsMoveUp) {
  add({.name = "third", .level = 0.1});
  add({.name = "fourth", .level = 0.2});
  remove("third");
  EXPECT_EQ(mix_slot("over-third").inputs, (Inputs{"fade", "fourth"}));
  EXPECT_EQ(mix_slot("over-third").parameters.at("level2"), show::ParameterValue(0.2));
}

TEST_F(LayersTest, TheLowestLayerMayLeave) {
  remove("layer-1");
  EXPECT_THAT(mix_slots(), ElementsAre("layer-2", "screen"));
}

TEST_F(LayersTest, TheFiltersOfALayerLeaveWithIt) {
  add({.name = "third"});
  make(insert_slot(show_, plugins_, {"mix", "third"}, {"frei0r/glow", "shine"}));
  make(insert_slot(show_, plugins_, {"mix", "shine"}, {"checker", "check"}));
  make(connect_input(show_, plugins_, {"mix", "over-third"}, 1, {"check", 0}));
  remove("third");
  EXPECT_EQ(show_.find_slot({"mix", "shine"}), nullptr);
  EXPECT_EQ(show_.find_slot({"mix", "check"}), nullptr);
}

TEST_F(LayersTest, AFaderSetsHowMuchOfALayerIsShown) {
  add({.name = "third", .level = 0.25});
  const auto layers = layers_of(show_, plugins_, "mix");
  ASSERT_THAT(layers, ::testing::SizeIs(3));
  EXPECT_EQ(layers[0].submix, "layer-1");
  EXPECT_EQ(layers[0].fader, std::nullopt) << "the lowest of a crossfade";
  EXPECT_EQ(layers[1].fader, (LayerFader{{"mix", "fade"}, "fader", 0.5}));
  EXPECT_EQ(layers[2].fader, (LayerFader{{"mix", "over-third"}, "level2", 0.25}));
  EXPECT_THAT(layers_of(show_, plugins_, "layer-1"), ::testing::IsEmpty());
}

TEST_F(LayersTest, ALayerTakesTheMixersInputToThePlaceOfAnother) {
  show_ = make_show({.nodes = {"one", "two", "three", "desk"}});
  auto& mixer = *show_.find_slot({"mix", "mixer"});
  mixer.parameters = {{"level1", 0.1},
                      {"blend2", std::string("screen")},
                      {"level3", 0.3},
                      {"mode", std::string("over")}};
  mixer.oscillators = {{"level3", show::Oscillator{}}};
  make(move_layer(show_, plugins_, "layer-3", "layer-1"));
  EXPECT_EQ(mix_slot("mixer").inputs, (Inputs{"layer-3", "layer-1", "layer-2"}));
  EXPECT_EQ(mix_slot("mixer").parameters, (show::Parameters{{"level1", 0.3},
                                                            {"level2", 0.1},
                                                            {"blend3", std::string("screen")},
                                                            {"mode", std::string("over")}}));
  EXPECT_TRUE(mix_slot("mixer").oscillators.contains("level1"));
  EXPECT_THAT(submixes_from_below(), ElementsAre("layer-3", "layer-1", "layer-2"));
  make(move_layer(show_, plugins_, "layer-3", "layer-2"));
  EXPECT_THAT(submixes_from_below(), ElementsAre("layer-1", "layer-2", "layer-3"));
  EXPECT_EQ(mixer_of(layers_of(show_, plugins_, "mix")), (show::Port{"mix", "mixer"}));
}

TEST_F(LayersTest, ACopyLiesAboveItsLayerWithItsEffectsAndBlendAndItsFaderDown) {
  show_ = make_show({.nodes = {"one", "two", "desk"}});
  auto& original = *show_.find_submix("layer-1");
  original.slots.insert(original.slots.begin() + 1, {"film", "record", {}, {}, false});
  auto& parameters = mixer_slot().parameters;
  parameters["level1"] = 0.7;
  parameters["blend1"] = std::string("screen");
  make(duplicate_layer(show_, plugins_, "layer-1"));
  EXPECT_THAT(submixes_from_below(), ElementsAre("layer-1", "layer-3", "layer-2"));
  const auto& copy = *show_.find_submix("layer-3");
  EXPECT_EQ(copy.node, "one");
  ASSERT_THAT(copy.slots, SizeIs(3));
  EXPECT_EQ(copy.slots[0].plugin, show_.find_submix("layer-1")->slots[0].plugin);
  EXPECT_EQ(copy.slots[1].parameters.at("recording"), show::ParameterValue(false));
  const auto& mixed = mixer_slot().parameters;
  ASSERT_THAT(mixed, AllOf(Contains(Key("level2")), Contains(Key("blend2"))));
  EXPECT_EQ(mixed.at("level1"), show::ParameterValue(0.7));
  EXPECT_EQ(mixed.at("level2"), show::ParameterValue(0.0));
  EXPECT_EQ(mixed.at("blend2"), show::ParameterValue(std::string("screen")));
  EXPECT_EQ(mixed.at("side2"), show::ParameterValue(std::string("A")));
}

TEST_F(LayersTest, ACopyOfALayerOfAnotherMixerLiesOnTop) {
  make(duplicate_layer(show_, plugins_, "layer-1"));
  EXPECT_EQ(submixes_from_below().back(), "layer-3");
  remove("layer-3");
  EXPECT_TRUE(show_ == crossfaded_show());
}

TEST_F(LayersTest, OnlyALayerWithASourceAndOneStreamIsCopied) {
  EXPECT_THAT(why(duplicate_layer(show_, plugins_, "mix")), HasSubstr("\"mix\" mixes others"));
  EXPECT_THAT(why(duplicate_layer(show_, plugins_, "layer-9")), HasSubstr("did you mean"));
  show_.submixes.push_back({"alone", "desk", {{"source", "pattern", {}, {}, false}}});
  EXPECT_THAT(why(duplicate_layer(show_, plugins_, "alone")), HasSubstr("is no layer"));
}

TEST_F(LayersTest, OnlyLayersOfOneMixerChangePlaces) {
  EXPECT_EQ(mixer_of(layers_of(show_, plugins_, "mix")), std::nullopt);
  EXPECT_THAT(why(move_layer(show_, plugins_, "layer-1", "layer-2")),
              HasSubstr("\"layer-1\" is no layer of a \"mix\" slot"));
  add({.name = "third"});
  EXPECT_THAT(why(move_layer(show_, plugins_, "third", "mix")), HasSubstr("\"mix\" is no layer"));
  EXPECT_THAT(why(move_layer(show_, plugins_, "thrid", "mix")), HasSubstr("did you mean"));
}

TEST_F(LayersTest, WhatIsShownByItselfIsMoreThanALayer) {
  remove("layer-1");
  EXPECT_THAT(why(delete_layer(show_, plugins_, "layer-2")),
              HasSubstr("\"mix.layer-2\" is more than a layer: screen reads it"));
}

TEST_F(LayersTest, WrongWordsAreAnswered) {
  EXPECT_THAT(why(add_layer(show_, plugins_, {.name = "mix"})), HasSubstr("already"));
  EXPECT_THAT(why(add_layer(show_, plugins_, {.name = "no name"})), HasSubstr("cannot be a name"));
  EXPECT_THAT(why(add_layer(show_, plugins_, {.mix = "mixx"})), HasSubstr("did you mean \"mix\""));
  EXPECT_THAT(why(delete_layer(show_, plugins_, "mix")), HasSubstr("is no layer"));
  show_.submixes.push_back({"other", "desk", {{"in", "stream-in", {}, {}, false}}});
  EXPECT_EQ(find_mix(show_), "mix");
  show_.streams.back().to = {"other", "in"};
  EXPECT_THAT(why(add_layer(show_, plugins_, {})),
              HasSubstr("2 submixes mix: mix, other; name one"));
}

// A clip that was dropped on the test pattern of a first show became a third layer.
TEST_F(LayersTest, AFileTakesThePlaceOfATestPattern) {
  const auto slots = show_.find_submix("layer-1")->slots.size();
  ASSERT_NE(source_of(show_, plugins_, "layer-1"), nullptr);
  const auto before = show_;
  const auto edit = play_in_source(show_, plugins_, "layer-1", "waves.mp4");
  ASSERT_TRUE(edit) << edit.error().message;
  const auto undo = present(show_, *edit);
  ASSERT_TRUE(undo) << undo.error().message;
  make(edit);
  const auto& layer = *show_.find_submix("layer-1");
  EXPECT_EQ(layer.slots.size(), slots);
  EXPECT_EQ(layer.slots[0].plugin, "clip");
  EXPECT_EQ(layer.slots[0].parameters.at("file"), show::ParameterValue(std::string("waves.mp4")));
  EXPECT_EQ(layer.slots[0].parameters.at("loop"), show::ParameterValue(true));
  EXPECT_EQ(layers_of(show_, plugins_, "mix").size(), 2U);

  EXPECT_EQ(source_of(show_, plugins_, "layer-1"), nullptr) << "a clip has a deck of its own";
  EXPECT_EQ(source_of(show_, plugins_, "mix"), nullptr) << "it shows what others send";
  EXPECT_EQ(source_of(show_, plugins_, "nobody"), nullptr);
  const auto now = present(show_, *edit);
  EXPECT_TRUE(now && *now == *edit) << "it would not be undone";
  make(undo);
  EXPECT_TRUE(show_ == before);
  EXPECT_THAT(why(play_in_source(show_, plugins_, "mix", "waves.mp4")),
              HasSubstr("has no picture of its own that waves.mp4 could replace"));
}

TEST(PlayFile, MakesAClipOrAStillByTheEnding) {
  for (const auto* still : {"logo.png", "rain/LOGO.JPG", "a.b.tiff", "100%.png", "smoke.exr"}) {
    NewLayer layer;
    play_file(layer, still);
    EXPECT_EQ(layer.plugin, "still") << still;
    EXPECT_FALSE(layer.parameters.contains("loop"));
  }
  for (const auto* clip : {"waves.mp4", "png", "a.png/waves", "wave.gif", "rain/glow_%04d.png",
                           "smoke_%04d.exr", ""}) {
    NewLayer layer;
    play_file(layer, clip);
    EXPECT_EQ(layer.plugin, "clip") << clip;
    EXPECT_EQ(layer.parameters.at("loop"), show::ParameterValue(true));
    EXPECT_EQ(layer.parameters.at("file"), show::ParameterValue(std::string(clip)));
  }
}

}  // namespace
}  // namespace submix::model
