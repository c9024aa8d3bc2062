// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/performing.hpp"

#include "common/show/validate.hpp"
#include "controller/model/edit/cue_list.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/model/edit/show_editor.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The sample show with a knob on two parameters, two presets and three cues.
show::Show sample_show() {
  auto show = sample::show();
  show.rate = {10, 1};
  auto& glow = *show.find_slot(sample::kGlow);
  glow.parameters = {{"Blur", 0.25}, {"Size", 3.0}};
  glow.oscillators.clear();
  show.knobs = {{"energy", 0.5, {{sample::kGlow, "Blur", 0, 1}, {sample::kGlow, "Size", 8, 0}}}};
  show.presets = {{"soft", sample::kGlow, {{"Blur", 0.1}}, {}}};
  show.cues = {
      {"calm", "", 0, {}, {show::CuePreset{"soft"}}},
      {"drop", "", 2, true, {show::CueKnob{"energy", 1.0}, show::CueBypass{sample::kGlow, true}}},
      {"end", "", 0, {}, {show::CueAssign{"left", ""}}}};
  return show;
}

const show::Slot& glow_of(const show::Show& show) {
  return *show.find_slot(sample::kGlow);
}

TEST(TurnKnob, SetsAllOfItsTargetsAsOneEdit) {
  const auto show = sample_show();
  const auto edit = turn_knob(show, {}, "energy", 0.75);
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(title(edit->edit), "knob energy: 0.75");
  const auto turned = after(show, edit->edit);
  EXPECT_EQ(turned.knobs[0].value, 0.75);
  EXPECT_EQ(glow_of(turned).parameters, (show::Parameters{{"Blur", 0.75}, {"Size", 2.0}}));
  EXPECT_EQ(after(turned, present(show, edit->edit).value()), show);
}

TEST(TurnKnob, StaysWithinItsEnds) {
  EXPECT_EQ(
      after(sample_show(), turn_knob(sample_show(), {}, "energy", 7).value().edit).knobs[0].value,
      1.0);
  EXPECT_EQ(why(turn_knob(sample_show(), {}, "enegry", 0)),
            "knob \"enegry\" is not in the show (did you mean \"energy\"?)");
}

TEST(TurnKnob, HoldsWhatAnOscillatorMoves) {
  auto show = sample_show();
  show.find_slot(sample::kGlow)->oscillators = {{"Blur", show::Oscillator{}}};
  EXPECT_FALSE(glow_of(after(show, turn_knob(show, {}, "energy", 1).value().edit))
                   .oscillators.at("Blur")
                   .is_on);
}

TEST(TurnKnob, IsOneStepOfUndoHoweverLongItIsDragged) {
  const auto show = sample_show();
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(show), 1);
  for (int i = 0; i <= 20; ++i)
    ASSERT_TRUE(editor.edit(turn_knob(*editor.draft(), {}, "energy", i / 20.0).value().edit, 7));
  EXPECT_EQ(glow_of(*editor.draft()).parameters.at("Blur"), show::ParameterValue(1.0));
  EXPECT_EQ(editor.view().undo_title, "knob energy: 1");
  ASSERT_TRUE(editor.undo());
  EXPECT_EQ(*editor.draft(), show);
  EXPECT_FALSE(editor.undo());
  ASSERT_TRUE(editor.redo());
  EXPECT_EQ(editor.draft()->knobs[0].value, 1.0);
}

TEST(TurnKnob, IsWrittenAsOneAndTakenBackAsOneWhenSomebodyElseTouchedATarget) {
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(sample_show()), 1);
  ASSERT_TRUE(editor.edit(turn_knob(*editor.draft(), {}, "energy", 0.9).value().edit));
  const auto write = editor.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(glow_of(write->show).parameters.at("Blur"), show::ParameterValue(0.9));
  editor.write_refused();
  auto theirs = sample_show();
  theirs.find_slot(sample::kGlow)->parameters["Size"] = 5.0;
  editor.set_desired(std::make_shared<const show::Show>(theirs), 2);
  EXPECT_EQ(*editor.draft(), theirs);
  EXPECT_THAT(editor.take_conflicts(),
              ElementsAre("knob energy: 0.9: not written, somebody else changed it first"));
}

TEST(TurnKnob, GoesTogetherWithWhatOthersChangedElsewhere) {
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(sample_show()), 1);
  ASSERT_TRUE(editor.edit(turn_knob(*editor.draft(), {}, "energy", 0.9).value().edit));
  static_cast<void>(editor.next_write());
  editor.write_refused();
  auto theirs = sample_show();
  theirs.find_slot(sample::kGlow)->is_bypassed = true;
  editor.set_desired(std::make_shared<const show::Show>(theirs), 2);
  EXPECT_TRUE(glow_of(*editor.draft()).is_bypassed);
  EXPECT_EQ(editor.draft()->knobs[0].value, 0.9);
}

TEST(TurnKnob, StaysInOrderWithASliderOnOneOfItsTargets) {
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(sample_show()), 1);
  ASSERT_TRUE(editor.edit(SetParameter{sample::kGlow, "Blur", 0.4}));
  ASSERT_TRUE(editor.edit(turn_knob(*editor.draft(), {}, "energy", 0.9).value().edit));
  ASSERT_TRUE(editor.edit(SetParameter{sample::kGlow, "Blur", 0.6}));
  EXPECT_EQ(glow_of(*editor.draft()).parameters.at("Blur"), show::ParameterValue(0.6));
}

TEST(MoveNumber, SetsAtOnceOrFadesFromWhereTheNumberIs) {
  auto show = sample_show();
  const RunningState running{.time = 10s, .plugins = {}};
  const SetParameter number{sample::kGlow, "Blur", 1.0};
  EXPECT_EQ(glow_of(after(show, move_number(show, running, number).value())).fades, show::Fades{});
  show.find_slot(sample::kGlow)->oscillators = {
      {"Blur", {.waveform = show::Waveform::square, .from = 0.75, .to = 0.75}}};
  const auto moved = after(show, move_number(show, running, number, 3).value());
  EXPECT_FALSE(glow_of(moved).oscillators.at("Blur").is_on);
  EXPECT_EQ(glow_of(moved).parameters.at("Blur"), show::ParameterValue(1.0));
  EXPECT_EQ(glow_of(moved).fades.at("Blur").from, 0.75);
  EXPECT_EQ(glow_of(moved).fades.at("Blur").frames, 30U);
}

TEST(MoveNumber, LeavesOtherFadesAsTheyAre) {
  auto show = sample_show();
  const RunningState running{.time = 10s, .plugins = {}};
  show = after(show, move_number(show, running, {sample::kGlow, "Size", 7.0}, 60).value());
  const auto fade = glow_of(show).fades.at("Size");
  show = after(show, move_number(show, running, {sample::kGlow, "Blur", 1.0}, 2).value());
  EXPECT_EQ(glow_of(show).fades.at("Size"), fade);
  EXPECT_EQ(glow_of(show).fades.at("Blur").frames, 20U);
}

TEST(MoveNumber, IsUndoneAlsoIfALaterMoveHasEndedItsFade) {
  auto show = sample_show();
  const RunningState running{.time = 10s, .plugins = {}};
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(show), 1);
  const auto move = [&](double to, double seconds) {
    const SetParameter number{sample::kGlow, "Blur", to};
    ASSERT_TRUE(editor.edit(move_number(*editor.draft(), running, number, seconds).value()));
  };
  move(1.0, 3);
  move(0.5, 0);
  EXPECT_EQ(glow_of(*editor.draft()).fades, show::Fades{});
  ASSERT_TRUE(editor.undo());
  const auto undone = editor.undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(glow_of(*editor.draft()).parameters, glow_of(show).parameters);
}

TEST(Presets, AreSavedFromWhatIsStatedAndBroughtBack) {
  auto show = sample_show();
  show.find_slot(sample::kGlow)->oscillators = {{"Blur", {.frequency = 2}}};
  const auto saved = after(show, save_preset(show, "now", sample::kGlow).value());
  ASSERT_EQ(saved.presets.size(), 2U);
  EXPECT_EQ(saved.presets[1].parameters, (show::Parameters{{"Blur", 0.25}, {"Size", 3.0}}));
  auto changed = saved;
  changed.find_slot(sample::kGlow)->parameters = {{"Size", 1.0}, {"New", true}};
  changed.find_slot(sample::kGlow)->oscillators = {{"Size", {}}};
  const auto edit = apply_preset(changed, {}, "now").value().edit;
  EXPECT_EQ(title(edit), "preset now");
  EXPECT_EQ(after(changed, edit), saved);
  EXPECT_EQ(after(saved, present(changed, edit).value()), changed);
}

TEST(Presets, OfASubmixHaveAllOfItsSlots) {
  const auto show = sample_show();
  const auto saved = after(show, save_preset(show, "all", {"left", ""}).value());
  EXPECT_TRUE(saved.presets[1].parameters.contains("glow.Blur"));
  auto changed = saved;
  for (auto& slot : changed.submixes[0].slots)
    slot.parameters.clear();
  EXPECT_EQ(after(changed, apply_preset(changed, {}, "all").value().edit), saved);
}

TEST(Presets, SayWhatIsNotThere) {
  EXPECT_THAT(why(save_preset(sample_show(), "x", {"lfet", ""})), HasSubstr("submix \"lfet\""));
  EXPECT_THAT(why(save_preset(sample_show(), "x", {"left", "glo"})),
              HasSubstr("did you mean \"glow\""));
  EXPECT_THAT(why(apply_preset(sample_show(), {}, "sotf")), HasSubstr("did you mean \"soft\""));
}

TEST(Presets, HaveTitles) {
  EXPECT_EQ(title(save_preset(sample_show(), "soft", sample::kGlow).value()), "preset soft");
  EXPECT_EQ(title(SetPresets{{{"soft", std::nullopt}}}), "delete preset soft");
}

TEST(Go, DoesOneCueAfterTheOther) {
  auto show = sample_show();
  const auto first = go(show, {}).value();
  EXPECT_EQ(first.cue, "calm");
  EXPECT_EQ(title(first.edit), "cue calm");
  show = after(show, first.edit);
  EXPECT_EQ(glow_of(show).parameters, (show::Parameters{{"Blur", 0.1}}));
  EXPECT_EQ(show.next_cue, "drop");
  const auto second = go(show, {}).value();
  EXPECT_EQ(second.is_paused, true);
  show = after(show, second.edit);
  EXPECT_TRUE(glow_of(show).is_bypassed);
  EXPECT_EQ(show.knobs[0].value, 1.0);
  show = after(show, go(show, {}).value().edit);
  EXPECT_EQ(show.find_submix("left")->node, "");
  EXPECT_EQ(show.next_cue, "calm");
}

TEST(Go, DoesTheCueThatIsNamedAndGoesOnFromThere) {
  const auto show = sample_show();
  EXPECT_EQ(after(show, go(show, {}, "drop").value().edit).next_cue, "end");
  EXPECT_THAT(why(go(show, {}, "dorp")), HasSubstr("did you mean \"drop\""));
  EXPECT_THAT(why(go(sample::show(), {})), HasSubstr("no cues"));
}

TEST(Go, IsUndoneAsOne) {
  const auto show = sample_show();
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(show), 1);
  ASSERT_TRUE(editor.edit(go(show, {}, "drop").value().edit));
  ASSERT_TRUE(editor.undo());
  EXPECT_EQ(*editor.draft(), show);
}

TEST(Go, FadesNumbersFromWhereTheyAre) {
  const auto show = sample_show();
  const auto faded = after(show, go(show, {.time = 10s, .plugins = {}}, "drop").value().edit);
  const auto& glow = glow_of(faded);
  EXPECT_EQ(glow.parameters, (show::Parameters{{"Blur", 1.0}, {"Size", 0.0}}));
  ASSERT_EQ(glow.fades.size(), 2U);
  const show::Fade blur = glow.fades.at("Blur");
  EXPECT_EQ(blur.from, 0.25);
  EXPECT_EQ(blur.frames, 20U);  // two seconds
  EXPECT_EQ(blur.frame, 102U);  // announced for 10.25 s
}

TEST(Go, FadesFromTheMiddleOfAnOscillationOrAnotherFade) {
  auto show = sample_show();
  show.find_slot(sample::kGlow)->oscillators = {
      {"Blur", {.waveform = show::Waveform::ramp_up, .frequency = 0.01, .from = 0, .to = 1}}};
  show.find_slot(sample::kGlow)->fades = {{"Size", {1.0, 0, 1'000'000}}};
  const auto faded = after(show, go(show, {.time = 50s, .plugins = {}}, "drop").value().edit);
  EXPECT_NEAR(glow_of(faded).fades.at("Blur").from, 0.502, 1e-9);
  EXPECT_NEAR(glow_of(faded).fades.at("Size").from, 1.001, 1e-3);
  EXPECT_FALSE(glow_of(faded).oscillators.at("Blur").is_on);
}

TEST(Go, FadesFromWhatThePluginBeginsWith) {
  auto show = sample_show();
  show.find_slot(sample::kGlow)->parameters.erase("Blur");
  cluster::ParameterSummary blur;
  blur.name = "Blur";
  blur.type = "number";
  blur.initial = 0.5;
  cluster::PluginSummary plugin;
  plugin.id = glow_of(show).plugin;
  plugin.parameters = {blur};
  const RunningState running{.time = 10s, .plugins = {{plugin.id, plugin}}};
  EXPECT_EQ(glow_of(after(show, go(show, running, "drop").value().edit)).fades.at("Blur").from,
            0.5);
}

TEST(NumberAt, KnowsWhatTheSoundDoes) {
  auto show = sample_show();
  show.find_slot(sample::kGlow)->oscillators["Blur"] = {.waveform = show::Waveform::sound_highs};
  const RunningState running{.time = 10s, .plugins = {}, .sound = {.highs = 0.75}};
  EXPECT_EQ(number_at(show, running, {sample::kGlow, "Blur", {}}, {}), 0.75);
}

TEST(SetBeat, HoldsTheBeatThatAPersonStatesNow) {
  const auto edit = set_beat({.beats_per_minute = 90, .master_speed = 2}, 8, 10s);
  EXPECT_TRUE(edit.sets_beat);
  EXPECT_EQ(edit.tempo.since, 10'250ms);
  EXPECT_NEAR(edit.tempo.beats, 8.75, 1e-9);
  auto show = sample_show();
  const auto before = present(show, edit).value();
  EXPECT_NE(before, Edit(edit));
  ASSERT_TRUE(apply(show, edit));
  EXPECT_EQ(present(show, edit).value(), Edit(edit));
}

TEST(Go, SetsAtOnceWithoutTheShowsTime) {
  const auto show = sample_show();
  EXPECT_TRUE(glow_of(after(show, go(show, {}, "drop").value().edit)).fades.empty());
}

TEST(Cues, ThatAreDeletedAreNotTheNextOnes) {
  auto show = sample_show();
  show.next_cue = "drop";
  const auto edit = delete_cue(show, "drop");
  EXPECT_EQ(title(edit), "delete cue drop");
  const auto deleted = after(show, edit);
  EXPECT_EQ(deleted.cues.size(), 2U);
  EXPECT_EQ(deleted.next_cue, "");
  EXPECT_EQ(after(deleted, present(show, edit).value()), show);
}

show::Show show_that_names_glow() {
  auto show = sample_show();
  show.presets.push_back({"all", {"left", ""}, {{"glow.Blur", 0.5}, {"clip.speed", 2.0}}, {}});
  show.cues.push_back(
      {"last",
       "",
       0,
       {},
       {show::CueParameter{sample::kGlow, "Blur", 0.5}, show::CueAssign{"left", "rack1"}}});
  return show;
}

// The other knob was deleted without a word.
TEST(Performing, RefusesAKnobsNameThatAnotherKnobHas) {
  auto show = show_that_names_glow();
  auto second = show.knobs[0];
  second.name = "second";
  show.knobs.push_back(second);
  EXPECT_THAT(why(rename_knob(show, show.knobs[0].name, "second")),
              HasSubstr("the show has a knob \"second\" already"));
  EXPECT_TRUE(rename_knob(show, "second", "second"));
}

TEST(Performing, FollowsASlotThatIsRenamed) {
  const auto show = show_that_names_glow();
  const auto renamed = after(show, rename_slot(show, sample::kGlow, "shine").value());
  EXPECT_TRUE(show::validate(renamed).empty()) << to_string(show::validate(renamed));
  EXPECT_EQ(renamed.knobs[0].targets[0].slot.slot, "shine");
  EXPECT_EQ(renamed.presets[0].of.slot, "shine");
  EXPECT_TRUE(renamed.presets[1].parameters.contains("shine.Blur"));
  EXPECT_EQ(std::get<show::CueParameter>(renamed.cues[3].changes[0]).slot.slot, "shine");
}

TEST(Performing, TheSoundOfAClipFollowsItsSlotThatIsRenamed) {
  auto show = show_that_names_glow();
  show.sound = {"rack1", "clip:left.glow/clip"};
  show = after(show, rename_slot(show, sample::kGlow, "shine").value());
  EXPECT_EQ(show.sound, (show::SoundInput{"rack1", "clip:left.shine/clip"}));
  show = after(show, rename_submix(show, "left", "west").value());
  EXPECT_EQ(show.sound.device, "clip:west.shine/clip");
  show.sound.device = "hw:1,0";
  EXPECT_EQ(after(show, rename_submix(show, "west", "left").value()).sound.device, "hw:1,0");
}

TEST(Performing, FollowsASubmixThatIsRenamed) {
  const auto show = show_that_names_glow();
  const auto renamed = after(show, rename_submix(show, "left", "first").value());
  EXPECT_TRUE(show::validate(renamed).empty()) << to_string(show::validate(renamed));
  EXPECT_EQ(renamed.knobs[0].targets[0].slot, (show::Port{"first", "glow"}));
  EXPECT_EQ(std::get<show::CueAssign>(renamed.cues[3].changes[1]).submix, "first");
}

TEST(Performing, LetsGoOfASlotThatIsDeletedUntilThatIsUndone) {
  const auto show = show_that_names_glow();
  const PluginMap plugins{{"clip", {.id = "clip", .kind = "source"}},
                          {"frei0r/glow", {.id = "frei0r/glow", .kind = "filter"}},
                          {"stream-out", {.id = "stream-out", .kind = "output"}}};
  const auto edit = delete_slot(show, plugins, sample::kGlow).value();
  const auto deleted = after(show, edit);
  EXPECT_TRUE(show::validate(deleted).empty()) << to_string(show::validate(deleted));
  EXPECT_TRUE(deleted.knobs[0].targets.empty());
  ASSERT_EQ(deleted.presets.size(), 1U);
  EXPECT_EQ(deleted.presets[0].parameters, (show::Parameters{{"clip.speed", 2.0}}));
  EXPECT_EQ(deleted.cues[3].changes.size(), 1U);
  EXPECT_EQ(after(deleted, present(show, edit).value()), show);
}

TEST(Cues, TellWhatTheyDo) {
  EXPECT_EQ(text_of(show::CueParameter{sample::kGlow, "Blur", 0.5}), "left.glow: Blur 0.5");
  EXPECT_EQ(text_of(show::CueKnob{"energy", 0.5}), "knob energy: 0.5");
  EXPECT_EQ(text_of(show::CuePreset{"soft"}), "preset soft");
  EXPECT_EQ(text_of(show::CueBypass{sample::kGlow, false}), "left.glow: bypass off");
  EXPECT_EQ(text_of(show::CueAssign{"left", ""}), "run left nowhere");
}

}  // namespace
}  // namespace submix::model
