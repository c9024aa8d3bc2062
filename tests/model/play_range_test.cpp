// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/play_range.hpp"

#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/value_gate.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The sample show, whose clip plays from `in` to `out`.
show::Show playing(double in, double out) {
  auto show = sample::show();
  show.find_slot(sample::kClip)->parameters["in"] = in;
  show.find_slot(sample::kClip)->parameters["out"] = out;
  return show;
}

Edit set(const char* name, double value) {
  return SetParameter{sample::kClip, name, value};
}
double now(const show::Show& show, const char* name) {
  return std::get<double>(show.find_slot(sample::kClip)->parameters.at(name));
}

// One knob moves both ends, another one only the in point.
show::Show with_knobs(show::Show show) {
  show.knobs = {{"both", 0, {{sample::kClip, "in", 0, 8}, {sample::kClip, "out", 2, 10}}},
                {"in", 0, {{sample::kClip, "in", 0, 8}}}};
  return show;
}
show::Show turned(const show::Show& show, const Performed& done) {
  auto after = show;
  EXPECT_TRUE(apply(after, done.edit));
  return after;
}

TEST(PlayRange, IsOfAClipsEndsOnlyAlsoInsideASubmixThatASlotStandsFor) {
  EXPECT_TRUE(is_play_range(sample::slot("clip", "clip"), "in"));
  EXPECT_TRUE(is_play_range(sample::slot("clip", "clip"), "out"));
  EXPECT_FALSE(is_play_range(sample::slot("clip", "clip"), "speed"));
  EXPECT_FALSE(is_play_range(sample::slot("fade", "fade"), "in"));
  EXPECT_TRUE(is_play_range(sample::slot("look", "submix/look"), "clip.in"));
}

TEST(PlayRange, IsEmptyWhereItEndsBeforeItBegins) {
  EXPECT_THAT(new_empty_ranges(nullptr, playing(0, 0)), IsEmpty());
  EXPECT_THAT(new_empty_ranges(nullptr, playing(3, 0)), IsEmpty()) << "to the clip's end";
  EXPECT_THAT(new_empty_ranges(nullptr, playing(2, 3)), IsEmpty());
  ASSERT_EQ(new_empty_ranges(nullptr, playing(3, 2)).size(), 1U);
  EXPECT_EQ(
      new_empty_ranges(nullptr, playing(3, 3)).at(0).reason,
      "left.clip: in point 3 s is not before the out point 3 s; set the in point lower, or the out "
      "point higher, or to 0: the clip's end");
}

TEST(PlayRange, CountsAnOscillatorWithTheEndThatIsWorse) {
  auto show = playing(1, 5);
  show.find_slot(sample::kClip)->oscillators["in"] = {.from = 0, .to = 4};
  EXPECT_THAT(new_empty_ranges(nullptr, show), IsEmpty());
  show.find_slot(sample::kClip)->oscillators["in"] = {.from = 6, .to = 0};
  EXPECT_EQ(new_empty_ranges(nullptr, show).size(), 1U);
}

TEST(PlayRange, IsLookedAtInsideTheCopyOfASubmix) {
  auto show = sample::show();
  show.submixes.push_back(
      {"look", "", {sample::slot("clip", "clip"), sample::slot("out", "stream-out")}});
  show.submixes[0].slots.push_back(sample::slot("look", "submix/look"));
  show.submixes[0].slots.back().parameters = {{"clip.in", 3.0}, {"clip.out", 2.0}};
  const auto found = new_empty_ranges(nullptr, show);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].slot, (show::Port{"left", "look"}));
  EXPECT_THAT(found[0].reason, HasSubstr("left.look/clip: in point 3 s"));
}

TEST(Admitted, RefusesAnInPointBehindTheOutPointWhicheverIsSet) {
  const auto whole = playing(0, 0);
  EXPECT_EQ(why(admitted(&whole, {}, set("in", 3))), "admitted");
  const auto ends_at_two = playing(0, 2);
  EXPECT_THAT(why(admitted(&ends_at_two, {}, set("in", 3))),
              HasSubstr("left.clip: in point 3 s is not"));
  const auto begins_at_three = playing(3, 0);
  EXPECT_THAT(why(admitted(&begins_at_three, {}, set("out", 2))), HasSubstr("the out point 2 s"));
  EXPECT_EQ(why(admitted(&ends_at_two, {}, EditGroup{"both", {set("in", 3), set("out", 5)}})),
            "admitted");
}

TEST(Admitted, DoesNotBlameAnEditForARangeThatWasEmptyBefore) {
  const auto empty = playing(3, 2);
  EXPECT_EQ(why(admitted(&empty, {}, set("speed", 2))), "admitted");
  EXPECT_EQ(why(admitted(&empty, {}, set("out", 5))), "admitted");
}

TEST(TurnKnob, MovesBothEndsOfAClipsRangeAtOnce) {
  const auto show = with_knobs(playing(0, 2));
  const auto done = turn_knob(show, {}, "both", 1);
  ASSERT_TRUE(done);
  EXPECT_THAT(done->left_out, IsEmpty());
  EXPECT_EQ(now(turned(show, *done), "in"), 8);
  EXPECT_EQ(now(turned(show, *done), "out"), 10);
}

TEST(TurnKnob, LeavesAClipsRangeWhereNothingWouldBeLeftToPlay) {
  const auto show = with_knobs(playing(1, 5));
  const auto done = turn_knob(show, {}, "in", 1);
  ASSERT_TRUE(done);
  EXPECT_THAT(done->left_out, ElementsAre(HasSubstr("left.clip: in point 8 s is not before")));
  EXPECT_EQ(now(turned(show, *done), "in"), 1);
  EXPECT_EQ(turned(show, *done).knobs[1].value, 1);
}

TEST(Presets, LeaveAClipsRangeWhereNothingWouldBeLeftToPlay) {
  auto show = playing(1, 5);
  show.presets = {{"wrong", sample::kClip, {{"in", 6.0}, {"out", 5.0}, {"speed", 2.0}}, {}}};
  const auto done = apply_preset(show, {}, "wrong");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->left_out.size(), 1U);
  EXPECT_EQ(now(turned(show, *done), "in"), 1);
  EXPECT_EQ(now(turned(show, *done), "speed"), 2);
}

TEST(Go, LeavesAClipsRangeWhereNothingWouldBeLeftToPlay) {
  auto show = playing(1, 5);
  show.cues = {{"wrong", "", 0, {}, {show::CueParameter{sample::kClip, "out", 0.5}}}};
  const auto done = go(show, {}, "");
  ASSERT_TRUE(done);
  EXPECT_EQ(done->left_out.size(), 1U);
  EXPECT_EQ(now(turned(show, {done->edit, {}}), "out"), 5);
}

}  // namespace
}  // namespace submix::model
