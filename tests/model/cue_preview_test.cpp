// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/cue_preview.hpp"

#include "tests/model/two_cues.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kMoment = 1'000'000s;

std::vector<std::string> preview(const show::Show& show, std::chrono::nanoseconds time = kMoment) {
  return cue_preview(show, {.time = time, .plugins = {}});
}

TEST(CuePreview, TellsEachChangeFromTheValueOfTheMoment) {
  auto show = two_cues();
  EXPECT_THAT(preview(show), ElementsAre("left glow Blur 0.25 -> 1 in 2 s"));
  show.find_slot(sample::kGlow)->fades["Blur"] = {0.75, 10'000'000, 20};
  EXPECT_THAT(preview(show, kMoment + 1s), ElementsAre("left glow Blur 0.5 -> 1 in 2 s"))
      << "half of a fade from 0.75 to 0.25";
}

TEST(CuePreview, TellsWhatTheNextCueDoes) {
  auto show = two_cues();
  show.next_cue = "fall";
  EXPECT_THAT(preview(show), ElementsAre("left glow off", "the show pauses"));
}

TEST(CuePreview, LeavesOutWhatIsThereAlready) {
  auto show = two_cues();
  show.find_slot(sample::kGlow)->parameters["Blur"] = 1.0;
  EXPECT_TRUE(preview(show).empty());
}

TEST(CuePreview, NamesAKnobInPlaceOfItsTargets) {
  auto show = two_cues();
  show.knobs = {{"energy", 0.5, {{sample::kGlow, "Blur", 0, 1}, {sample::kGlow, "Size", 8, 0}}}};
  show.cues[0].changes = {show::CueKnob{"energy", 1.0}};
  EXPECT_THAT(preview(show), ElementsAre("energy 0.5 -> 1 in 2 s"));
}

TEST(CuePreview, SaysWhyACueCannotGo) {
  auto show = two_cues();
  show.cues.clear();
  EXPECT_THAT(preview(show), ElementsAre(HasSubstr("no cues")));
}

}  // namespace
}  // namespace submix::model
