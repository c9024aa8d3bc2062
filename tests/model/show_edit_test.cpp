// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_edit.hpp"

#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

TEST(ShowEdit, RoundTripsThroughItsInverse) {
  const auto original = sample::show();
  const std::vector<Edit> edits{
      AssignSubmix{"left", "rack2"},
      SetParameter{sample::kGlow, "Blur", 0.9},
      SetParameter{sample::kGlow, "Blur", std::nullopt},
      SetParameter{sample::kGlow, "New", true},
      SetOscillator{sample::kGlow, "Blur", show::Oscillator{.frequency = 2}},
      SetTempo{{.beats_per_minute = 90}},
      SetBypass{sample::kGlow, true},
      SetHelpers{sample::kGlow, 3},
      SetLinks{"left", 3},
      SetLinks{"left", 1, {{"10.0.0.1", "10.0.0.2"}}},
      SetPolicy{"left", show::InputPolicy::latest},
      SetPolicy{"left", show::InputPolicy::hold, std::chrono::milliseconds(40)}};
  for (const auto& edit : edits) {
    auto show = original;
    const auto inverse = present(show, edit);
    ASSERT_TRUE(inverse) << title(edit);
    ASSERT_TRUE(apply(show, edit));
    EXPECT_FALSE(show == original) << title(edit);
    ASSERT_TRUE(apply(show, *inverse));
    EXPECT_TRUE(show == original) << title(edit);
  }
}

TEST(ShowEdit, BypassesNoStreamOutThatAReceiverWaitsFor) {
  auto show = sample::show();
  show.streams[0].policy = show::InputPolicy::wait;
  const auto refused = apply(show, SetBypass{{"left", "out"}, true});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("set the stream's policy to hold first"),
            std::string::npos);
  EXPECT_TRUE(apply(show, SetBypass{{"left", "out"}, false}));
  show.streams[0].policy = show::InputPolicy::hold;
  EXPECT_TRUE(apply(show, SetBypass{{"left", "out"}, true}));
}

TEST(ShowEdit, RefusesWhatTheShowDoesNotHave) {
  auto show = sample::show();
  EXPECT_FALSE(apply(show, AssignSubmix{"nobody", "rack1"}));
  EXPECT_FALSE(apply(show, SetBypass{{"left", "nothing"}, true}));
  EXPECT_FALSE(apply(show, SetOscillator{{"left", "nothing"}, "Blur", show::Oscillator()}));
  EXPECT_FALSE(present(show, SetOscillator{{"left", "nothing"}, "Blur", {}}));
  EXPECT_FALSE(apply(show, SetHelpers{{"left", "nothing"}, 2}));
  EXPECT_FALSE(present(show, SetHelpers{{"left", "nothing"}, 2}));
  EXPECT_FALSE(apply(show, SetLinks{"nobody", 2}));
  EXPECT_FALSE(present(show, SetLinks{"nobody", 2}));
  EXPECT_FALSE(apply(show, SetPolicy{"nobody"}));
  EXPECT_FALSE(present(show, SetPolicy{"nobody"}));
  EXPECT_FALSE(present(show, SetParameter{{"nobody", "glow"}, "Blur", 1.0}));
  EXPECT_EQ(show, sample::show());
}

TEST(ShowEdit, FindsAnotherTempo) {
  const auto before = sample::show();
  auto after = before;
  after.tempo = {.beats_per_minute = 97, .master_speed = 0.5};
  auto show = before;
  ASSERT_TRUE(model::apply(show, difference(before, after, "open")));
  EXPECT_EQ(show, after);
}

TEST(ShowEdit, TellsValuesOfOneSlotApart) {
  auto before = sample::show();
  ASSERT_TRUE(apply(before, SetParameter{sample::kGlow, "Blur", 0.1}));
  ASSERT_TRUE(apply(before, SetFade{sample::kGlow, "Blur", show::Fade{}}));
  auto after = before;
  ASSERT_TRUE(apply(after, SetParameter{sample::kGlow, "Blur", 0.7}));
  ASSERT_TRUE(apply(after, SetFade{sample::kGlow, "Blur", show::Fade{}}));
  ASSERT_TRUE(apply(after, SetBypass{sample::kGlow, true}));
  ASSERT_TRUE(apply(after, SetOscillator{sample::kGlow, "Size", show::Oscillator()}));
  const auto edit = difference(before, after, "values");
  auto show = before;
  ASSERT_TRUE(apply(show, SetParameter{sample::kGlow, "Other", 0.3}));  // by another person
  const auto inverse = present(show, edit);
  ASSERT_TRUE(apply(show, edit));
  EXPECT_EQ(present(show, edit).value(), edit) << "the other one's value is none of it";
  ASSERT_TRUE(apply(show, inverse.value()));
  ASSERT_TRUE(apply(show, SetParameter{sample::kGlow, "Other", std::nullopt}));
  EXPECT_EQ(show, before) << "fades, too";
}

TEST(ShowEdit, TellsTargetsApart) {
  EXPECT_TRUE(is_same_target(SetParameter{sample::kGlow, "Blur", 0.1},
                             SetParameter{sample::kGlow, "Blur", 0.2}));
  EXPECT_FALSE(is_same_target(SetParameter{sample::kGlow, "Blur", 0.1},
                              SetParameter{sample::kGlow, "Size", 0.1}));
  EXPECT_TRUE(is_same_target(SetLinks{"left", 2}, SetLinks{"left", 3}));
  EXPECT_TRUE(is_same_target(SetTempo{}, SetTempo{{.master_speed = 0}}));
  EXPECT_FALSE(is_same_target(SetOscillator{sample::kGlow, "Blur", {}},
                              SetParameter{sample::kGlow, "Blur", {}}));
  EXPECT_FALSE(is_same_target(SetLinks{"left", 2}, AssignSubmix{"left", ""}));
  EXPECT_FALSE(is_same_target(SetLinks{"left", 2}, SetPolicy{"left"}));
  EXPECT_FALSE(is_same_target(SetBypass{sample::kGlow, true}, AssignSubmix{"left", "glow"}));
}

TEST(ShowEdit, TellsTheShowsStructureFromItsValues) {
  const show::Port glow{"left", "glow"};
  for (const auto& edit :
       {Edit(SetParameter{glow, "Blur", 0.5}), Edit(SetBypass{glow, true}), Edit(SetTempo{}),
        Edit(SetKnobValue{"energy", 0.5}), Edit(SetNextCue{"calm"}),
        Edit(SetOscillator{glow, "Blur", {}}),
        Edit(EditGroup{"turn", {SetKnobValue{"energy", 1}, SetParameter{glow, "Blur", 1.0}}})})
    EXPECT_FALSE(is_structural(edit)) << title(edit);
  for (const auto& edit :
       {Edit(ReplaceShow{}), Edit(AssignSubmix{"left", "rack2"}), Edit(SetHelpers{glow, 2}),
        Edit(SetLinks{"left"}), Edit(SetPolicy{"left"}), Edit(SetSlots{}), Edit(SetStreams{}),
        Edit(SetCues{}), Edit(SetShowSize{}),
        Edit(EditGroup{"both", {SetBypass{glow, true}, AssignSubmix{"left", ""}}})})
    EXPECT_TRUE(is_structural(edit)) << title(edit);
}

TEST(ShowEdit, HasATitleForPeople) {
  EXPECT_EQ(title(AssignSubmix{"left", "rack2"}), "run left on rack2");
  EXPECT_EQ(title(AssignSubmix{"left", ""}), "run left nowhere");
  EXPECT_EQ(title(SetParameter{sample::kGlow, "Blur", 0.25}), "left.glow: Blur 0.25");
  EXPECT_EQ(title(SetParameter{sample::kGlow, "left", 1464.0}), "left.glow: left 1464");
  show::Oscillator oscillator{
      .waveform = show::Waveform::ramp_up, .beats = 0.25, .from = 0.2, .to = 0.8};
  EXPECT_EQ(title(SetOscillator{sample::kGlow, "Blur", oscillator}),
            "left.glow: oscillator of Blur: ramp-up, 1/4 beat, 0.2 to 0.8");
  oscillator.is_on = false;
  EXPECT_EQ(title(SetOscillator{sample::kGlow, "Blur", oscillator}),
            "left.glow: oscillator of Blur: off");
  EXPECT_EQ(title(SetOscillator{sample::kGlow, "Blur", {}}), "left.glow: oscillator of Blur: none");
  EXPECT_EQ(title(SetTempo{{.beats_per_minute = 97.5}}), "tempo 97.5, master speed 1");
  EXPECT_EQ(title(SetBypass{sample::kGlow, true}), "left.glow: bypass on");
  EXPECT_EQ(title(SetHelpers{sample::kGlow, 3}), "left.glow: 3 helpers");
  EXPECT_EQ(title(SetLinks{"left", 3}), "left: 3 links");
  EXPECT_EQ(title(SetLinks{"left", 1}), "left: 1 link");
  EXPECT_EQ(title(SetPolicy{"left", show::InputPolicy::latest}), "left: policy latest");
  EXPECT_EQ(title(SetPolicy{"left", show::InputPolicy::wait, std::chrono::milliseconds(40)}),
            "left: policy wait, pause budget 40 ms");
}

}  // namespace
}  // namespace submix::model
