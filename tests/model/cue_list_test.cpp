// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/cue_list.hpp"

#include "common/show/validate.hpp"
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

show::Show three_cues() {
  auto show = sample::show();
  show.find_slot(sample::kGlow)->oscillators.clear();
  show.presets = {{"soft", sample::kGlow, {{"Blur", 0.1}}, {}},
                  {"hard", sample::kGlow, {{"Blur", 0.9}}, {}}};
  show.cues = {{"calm", "", 0, {}, {show::CuePreset{"soft"}}},
               {"drop", "", 2, true, {show::CueBypass{sample::kGlow, true}}},
               {"end", "", 0, {}, {show::CuePreset{"hard"}, show::CuePreset{"soft"}}}};
  return show;
}

std::vector<std::string> names_of(const show::Show& show) {
  std::vector<std::string> names;
  for (const auto& cue : show.cues)
    names.push_back(cue.name);
  return names;
}

TEST(RenameCue, KeepsItsPlaceTheNextCueAndTheFollowOn) {
  auto show = three_cues();
  show.next_cue = "drop";
  show.following = 1000ms;
  const auto edit = rename_cue(show, "drop", "bass");
  ASSERT_TRUE(edit) << edit.error().message;
  EXPECT_EQ(title(*edit), "rename cue drop to bass");
  const auto renamed = after(show, *edit);
  EXPECT_TRUE(show::validate(renamed).empty()) << to_string(show::validate(renamed));
  EXPECT_THAT(names_of(renamed), ElementsAre("calm", "bass", "end"));
  EXPECT_EQ(renamed.next_cue, "bass");
  EXPECT_EQ(renamed.following, show.following);
  EXPECT_EQ(after(renamed, present(show, *edit).value()), show);
}

TEST(RenameCue, RefusesTakenAndEmptyNames) {
  const auto show = three_cues();
  EXPECT_EQ(why(rename_cue(show, "drop", "end")),
            "the show has a cue \"end\" already; names must differ");
  EXPECT_THAT(why(rename_cue(show, "drop", "")), HasSubstr("cue: \"\" cannot be a name; "));
  EXPECT_THAT(why(rename_cue(show, "dorp", "bass")), HasSubstr("did you mean \"drop\""));
  EXPECT_EQ(why(rename_cue(show, "drop", "drop")), "admitted");
}

TEST(RenamePreset, FollowsInCues) {
  const auto show = three_cues();
  const auto edit = rename_preset(show, "soft", "gentle");
  ASSERT_TRUE(edit) << edit.error().message;
  const auto renamed = after(show, *edit);
  EXPECT_TRUE(show::validate(renamed).empty()) << to_string(show::validate(renamed));
  EXPECT_EQ(renamed.presets[0].name, "gentle");
  EXPECT_EQ(std::get<show::CuePreset>(renamed.cues[0].changes[0]).preset, "gentle");
  EXPECT_EQ(std::get<show::CuePreset>(renamed.cues[2].changes[0]).preset, "hard");
  EXPECT_EQ(std::get<show::CuePreset>(renamed.cues[2].changes[1]).preset, "gentle");
  EXPECT_EQ(after(renamed, present(show, *edit).value()), show);
  EXPECT_THAT(why(rename_preset(show, "soft", "hard")), HasSubstr("has a preset \"hard\" already"));
  EXPECT_THAT(why(rename_preset(show, "soft", "")), HasSubstr("cannot be a name"));
}

TEST(MoveCue, StandsBeforeOrAfterAnother) {
  const auto show = three_cues();
  EXPECT_THAT(names_of(after(show, move_cue(show, "end", CueSide::before, "calm").value())),
              ElementsAre("end", "calm", "drop"));
  EXPECT_THAT(names_of(after(show, move_cue(show, "calm", CueSide::after, "drop").value())),
              ElementsAre("drop", "calm", "end"));
  EXPECT_THAT(why(move_cue(show, "calm", CueSide::after, "calm")), HasSubstr("beside itself"));
  EXPECT_THAT(why(move_cue(show, "calm", CueSide::after, "edn")),
              HasSubstr("did you mean \"end\""));
}

// An empty name of the next cue means the first one, which another cue has become.
TEST(MoveCue, LeavesTheNextCueTheNextOne) {
  for (const auto* next : {"", "calm", "drop"}) {
    auto show = three_cues();
    show.next_cue = next;
    show.following = 1000ms;
    const auto before = next_cue(show)->name;
    const auto moved = after(show, move_cue(show, "end", CueSide::before, "calm").value());
    ASSERT_NE(next_cue(moved), nullptr);
    EXPECT_EQ(next_cue(moved)->name, before);
    EXPECT_EQ(moved.following, show.following);
  }
}

TEST(MoveCue, IsOneStepOfUndo) {
  const auto show = three_cues();
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(show), 1);
  ASSERT_TRUE(editor.edit(move_cue(show, "end", CueSide::before, "calm").value()));
  EXPECT_EQ(editor.view().undo_title, "move cue end");
  EXPECT_THAT(names_of(*editor.draft()), ElementsAre("end", "calm", "drop"));
  ASSERT_TRUE(editor.undo());
  EXPECT_EQ(*editor.draft(), show);
  ASSERT_TRUE(editor.redo());
  EXPECT_THAT(names_of(*editor.draft()), ElementsAre("end", "calm", "drop"));
}

// "submix undo" makes the edit anew from two shows, and lost the order.
TEST(Difference, HasTheOrderOfTheCues) {
  const auto show = three_cues();
  auto moved = after(show, move_cue(show, "end", CueSide::before, "calm").value());
  moved.cues.push_back({"more", "", 0, {}, {}});
  EXPECT_EQ(after(show, difference(show, moved, "there")), moved);
  EXPECT_EQ(after(moved, difference(moved, show, "back")), show);
}

TEST(MoveCue, FailsWhenACueWasAddedMeanwhile) {
  auto show = three_cues();
  const auto edit = move_cue(show, "end", CueSide::before, "calm").value();
  show.cues.push_back({"more", "", 0, {}, {}});
  EXPECT_FALSE(apply(show, edit));
  EXPECT_THAT(names_of(show), ElementsAre("calm", "drop", "end", "more"));
}

}  // namespace
}  // namespace submix::model
