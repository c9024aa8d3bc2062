// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/renames.hpp"

#include "controller/model/edit/cue_list.hpp"
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using RenamedPort = Renamed<show::Port>;

show::Show show_of_performers() {
  auto show = sample::show();
  show.presets = {{"soft", sample::kGlow, {{"Blur", 0.1}}, {}},
                  {"warm", sample::kGlow, {{"Blur", 0.25}}, {}}};
  show.cues = {{"calm", "", 0, {}, {show::CuePreset{"soft"}}},
               {"drop", "", 2, true, {show::CueBypass{sample::kGlow, true}}}};
  show.knobs = {{"energy", 0.5, {{sample::kGlow, "Blur", 0, 1}}}};
  return show;
}

TEST(Renames, AreThoseOfCuesAlsoWhenAPresetIsRenamed) {
  const auto show = show_of_performers();
  const auto renamed = after(show, rename_cue(show, "drop", "bass").value());
  EXPECT_THAT(renames_between(show, renamed).cues,
              ElementsAre(Renamed<std::string>{"drop", "bass"}));
  EXPECT_THAT(renames_between(renamed, show).cues,
              ElementsAre(Renamed<std::string>{"bass", "drop"}))
      << "an undo";
  const auto gentle = after(show, rename_preset(show, "soft", "gentle").value());
  EXPECT_THAT(renames_between(show, gentle).cues, IsEmpty());
  const auto moved = after(show, move_cue(show, "drop", CueSide::before, "calm").value());
  EXPECT_THAT(renames_between(show, moved).cues, IsEmpty());
}

TEST(Renames, OfPresetsKeepTheirValues) {
  const auto show = show_of_performers();
  auto renamed = after(show, rename_preset(show, "warm", "hot").value());
  EXPECT_THAT(renames_between(show, renamed).presets,
              ElementsAre(Renamed<std::string>{"warm", "hot"}));
  renamed.presets[1].parameters["Blur"] = 0.5;
  EXPECT_THAT(renames_between(show, renamed).presets, IsEmpty());
}

TEST(Renames, OfKnobsThatWereTurnedAreFound) {
  const auto show = show_of_performers();
  auto renamed = after(show, rename_knob(show, "energy", "drive").value());
  renamed.knobs[0].value = 0.75;
  EXPECT_THAT(renames_between(show, renamed).knobs,
              ElementsAre(Renamed<std::string>{"energy", "drive"}));
}

TEST(Renames, OfASubmixAreThoseOfItsSlotsToo) {
  const auto show = show_of_performers();
  auto renamed = after(show, rename_submix(show, "left", "intro").value());
  renamed.find_slot({"intro", "glow"})->parameters["Blur"] = 0.75;
  const auto found = renames_between(show, renamed);
  EXPECT_THAT(found.submixes, ElementsAre(Renamed<std::string>{"left", "intro"}));
  EXPECT_THAT(found.slots, ElementsAre(RenamedPort{sample::kClip, {"intro", "clip"}},
                                       RenamedPort{sample::kGlow, {"intro", "glow"}},
                                       RenamedPort{{"left", "out"}, {"intro", "out"}}));
  const auto back = renames_between(renamed, show);
  EXPECT_THAT(back.submixes, ElementsAre(Renamed<std::string>{"intro", "left"})) << "an undo";
}

TEST(Renames, OfASlotKeepItsPlugin) {
  const auto show = show_of_performers();
  auto renamed = after(show, rename_slot(show, sample::kGlow, "shine").value());
  EXPECT_THAT(renames_between(show, renamed).slots,
              ElementsAre(RenamedPort{sample::kGlow, {"left", "shine"}}));
  renamed.find_slot({"left", "shine"})->plugin = "frei0r/cartoon";
  EXPECT_THAT(renames_between(show, renamed).slots, IsEmpty());
}

TEST(Renames, AreNoneInAnotherShow) {
  const auto show = show_of_performers();
  auto other = after(show, rename_submix(show, "left", "intro").value());
  other.name = "trio";
  EXPECT_THAT(renames_between(show, other).submixes, IsEmpty());
  auto of_one_name = after(show, rename_submix(show, "left", "intro").value());
  of_one_name.find_submix("mix")->name = "desk";
  EXPECT_THAT(renames_between(show, of_one_name).submixes, IsEmpty()) << "both are new";
  EXPECT_THAT(renames_between(show, of_one_name).slots, IsEmpty());
}

}  // namespace
}  // namespace submix::model
