// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/stage_names.hpp"

#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

const show::Port kMixer{"mix", "mixer"};

std::vector<Layer> layers() {
  return {{"left", "left", LayerFader{kMixer, "level1", 1}, 1},
          {"three", "layer-3", LayerFader{kMixer, "level2", 0.5}, 2}};
}

show::Show show_with_mixer() {
  auto show = sample::show();
  show.submixes.push_back({});
  show.submixes.back().name = "mix";
  show.submixes.back().slots = {sample::slot("mixer", "mix")};
  return show;
}

TEST(StageName, IsTheFaderOfItsLayer) {
  EXPECT_EQ(stage_name(layers(), kMixer, "level2"), "layer-3 Fader");
  EXPECT_EQ(stage_name(layers(), kMixer, "crossfade"), "crossfade");
  EXPECT_EQ(stage_name(layers(), sample::kGlow, "Blur"), "left glow Blur");
}

TEST(StageText, TellsAChangeOfACue) {
  EXPECT_EQ(stage_text(layers(), show::CueParameter{kMixer, "level2", 0.8}), "layer-3 Fader 0.8");
  EXPECT_EQ(stage_text(layers(), show::CueBypass{sample::kGlow, true}), "left glow off");
  EXPECT_EQ(stage_text(layers(), show::CuePreset{"soft"}), "preset soft");
  EXPECT_EQ(stage_text(layers(), show::CueKnob{"energy", 0.5}), "energy 0.5");
  EXPECT_EQ(stage_text(layers(), show::CueAssign{"left", ""}), "left stops");
}

TEST(WithStageNames, ReplacesTheWordsOfTheMachine) {
  const auto show = show_with_mixer();
  const auto text = [&](const char* words) { return with_stage_names(show, layers(), words); };
  EXPECT_EQ(text("left out: mix.mixer.level2: 2 > 1"), "left out: layer-3 Fader: 2 > 1");
  EXPECT_EQ(text("mix.mixer: level2 0.8: refused; mix.mixer.level1"),
            "layer-3 Fader 0.8: refused; left Fader");
  EXPECT_EQ(text("undo of \"left.glow: Blur 0.5\" left out"),
            "undo of \"left glow Blur 0.5\" left out");
  EXPECT_EQ(text("premix.mixer.level2 is no slot"), "premix.mixer.level2 is no slot");
  EXPECT_EQ(text("the disk is full"), "the disk is full");
}

}  // namespace
}  // namespace submix::model
