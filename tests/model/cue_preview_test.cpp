// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/cue_preview.hpp"

#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kMoment = 1'000'000s;

// "rise" moves a number in two seconds, "fall" takes the effect out and pauses the show.
show::Show rise_and_fall() {
  auto show = sample::show();
  show.rate = {10, 1};
  auto& glow = *show.find_slot(sample::kGlow);
  glow.parameters = {{"Blur", 0.25}, {"Size", 3.0}};
  glow.oscillators.clear();
  show.cues = {{"rise", "", 2, {}, {show::CueParameter{sample::kGlow, "Blur", 1.0}}},
               {"fall", "", 0, true, {show::CueBypass{sample::kGlow, true}}}};
  return show;
}
std::vector<std::string> preview(const show::Show& show, std::string_view cue = {},
                                 std::chrono::nanoseconds time = kMoment) {
  return cue_preview(show, {.time = time, .plugins = {}}, cue);
}

TEST(CuePreview, TellsEachChangeFromTheValueOfTheMoment) {
  auto show = rise_and_fall();
  EXPECT_THAT(preview(show), ElementsAre("left glow Blur 0.25 -> 1 in 2 s"));
  EXPECT_THAT(preview(show, "fall"), ElementsAre("left glow off", "the show pauses"));
  show.find_slot(sample::kGlow)->fades["Blur"] = {0.75, 10'000'000, 20};
  EXPECT_THAT(preview(show, {}, kMoment + 1s), ElementsAre("left glow Blur 0.5 -> 1 in 2 s"))
      << "half of a fade from 0.75 to 0.25";
}

TEST(CuePreview, LeavesOutWhatIsThereAlready) {
  auto show = rise_and_fall();
  show.find_slot(sample::kGlow)->parameters["Blur"] = 1.0;
  EXPECT_TRUE(preview(show).empty());
}

TEST(CuePreview, NamesAKnobInPlaceOfItsTargets) {
  auto show = rise_and_fall();
  show.knobs = {{"energy", 0.5, {{sample::kGlow, "Blur", 0, 1}, {sample::kGlow, "Size", 8, 0}}}};
  show.cues[0].changes = {show::CueKnob{"energy", 1.0}};
  EXPECT_THAT(preview(show), ElementsAre("energy 0.5 -> 1 in 2 s"));
}

TEST(CuePreview, SaysWhyACueCannotGo) {
  auto show = rise_and_fall();
  show.cues.clear();
  EXPECT_THAT(preview(show), ElementsAre(HasSubstr("no cues")));
}

}  // namespace
}  // namespace submix::model
