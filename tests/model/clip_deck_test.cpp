// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/clip_deck.hpp"

#include "common/show/clip_bank.hpp"
#include "common/show/validate.hpp"
#include "controller/model/edit/clip_part.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const show::Port kClip{"left", "clip"};

// At 120 beats a minute, beat 2n begins at second n. At 30 frames/s a beat has 15 frames.
show::Show deck_show() {
  show::Show show;
  show.name = "deck";
  show.nodes = {{"rack1", {}}};
  show::Submix submix;
  submix.name = "left";
  submix.node = "rack1";
  submix.slots.push_back({"clip",
                          "clip",
                          {{"file", std::string("a.mp4")},
                           {"bank", std::string("b.mp4|c.mp4")},
                           {"points", std::string("1||2 3")}},
                          {},
                          false});
  submix.slots.push_back({"end", "null", {}, {}, false});
  show.submixes.push_back(submix);
  return show;
}

class ClipDeckTest : public ::testing::Test {
 protected:
  /// Empty: the edit was made, and the show is valid.
  std::string make(const Result<Edit>& edit) {
    if (!edit) return edit.error().message;
    if (const auto done = apply(show_, *edit); !done) return done.error().message;
    const auto problems = show::validate(show_);
    return problems.empty() ? std::string() : problems.front().text;
  }
  [[nodiscard]] const show::Slot& slot() const { return *show_.find_slot(kClip); }
  [[nodiscard]] show::Slot& clip() { return *show_.find_slot(kClip); }
  [[nodiscard]] show::ClipBank bank() const { return show::clip_bank_of(slot().parameters); }
  [[nodiscard]] double value(const char* name) const {
    return std::get<double>(slot().parameters.at(name));
  }
  /// The value that the clip gets at a frame.
  [[nodiscard]] double value_at(const char* name, std::uint64_t frame) const {
    const auto fade = slot().fades.find(name);
    return fade == slot().fades.end() ? value(name)
                                      : show::value_at(fade->second, value(name), frame);
  }

  show::Show show_ = deck_show();
};

TEST_F(ClipDeckTest, TakesAClipInTheFirstFrameOfTheNextBeat) {
  ASSERT_EQ(make(take_clip(show_, kClip, 3, {TakeTime::next_beat, 100'200ms})), "");
  EXPECT_EQ(value_at("clip", 3014), 1);
  EXPECT_EQ(value_at("clip", 3015), 3);
}

TEST_F(ClipDeckTest, LeavesABeatThatIsTooNearToTheNextOne) {
  EXPECT_EQ(frame_of_take(show_, {TakeTime::next_beat, 100'399ms})->value, 3015U);
  EXPECT_EQ(frame_of_take(show_, {TakeTime::next_beat, 100'401ms})->value, 3030U);
  EXPECT_EQ(frame_of_take(show_, {TakeTime::next_bar, 100'100ms})->value, 3060U);
}

TEST_F(ClipDeckTest, TakesAClipAtOnceWhereThereIsNoBeat) {
  show_.tempo.master_speed = 0;
  ASSERT_EQ(make(take_clip(show_, kClip, 2, {TakeTime::next_beat, 100s})), "");
  EXPECT_EQ(value("clip"), 2);
  EXPECT_THAT(slot().fades, IsEmpty());
  EXPECT_EQ(frame_of_take(show_, {TakeTime::next_beat, {}}), std::nullopt);
  EXPECT_EQ(frame_of_take(deck_show(), {TakeTime::at_once, 100s}), std::nullopt);
}

TEST_F(ClipDeckTest, ChangesItsMindBeforeTheBeat) {
  ASSERT_EQ(make(take_clip(show_, kClip, 3, {TakeTime::next_bar, 100'000ms})), "");
  ASSERT_EQ(make(take_clip(show_, kClip, 2, {TakeTime::next_bar, 100'500ms})), "");
  EXPECT_EQ(value_at("clip", 3059), 1) << "the clip that plays, not the one that was to come";
  EXPECT_EQ(value_at("clip", 3060), 2);
}

TEST_F(ClipDeckTest, JumpsToTheSamePointAgain) {
  ASSERT_EQ(make(jump_to_point(show_, kClip, 1, {TakeTime::next_beat, 100'100ms})), "");
  ASSERT_EQ(make(jump_to_point(show_, kClip, 1, {TakeTime::next_beat, 101'100ms})), "");
  EXPECT_EQ(value_at("point", 3044), 0) << "the number has to change for a jump";
  EXPECT_EQ(value_at("point", 3045), 1);
  ASSERT_EQ(make(jump_to_point(show_, kClip, 1, {TakeTime::at_once, 200s})), "");
  EXPECT_EQ(value_at("point", 6000), 0);
  EXPECT_EQ(value_at("point", 6005), 1);
}

TEST_F(ClipDeckTest, KeepsThePlayingClipWhenAnotherOneLeavesTheBank) {
  ASSERT_EQ(make(take_clip(show_, kClip, 3, {TakeTime::at_once, 100s})), "");
  EXPECT_THAT(make(take_out_of_bank(show_, kClip, 3)), HasSubstr("plays"));
  EXPECT_THAT(make(take_out_of_bank(show_, kClip, 1)), HasSubstr("slot's file"));
  EXPECT_THAT(make(take_out_of_bank(show_, kClip, 4)), HasSubstr("no clip 4, only 3"));
  ASSERT_EQ(make(take_out_of_bank(show_, kClip, 2)), "");
  EXPECT_EQ(value("clip"), 2);
  EXPECT_THAT(bank(), ElementsAre(show::BankClip{"a.mp4", {1}}, show::BankClip{"c.mp4", {2, 3}}));
}

TEST_F(ClipDeckTest, KeepsThePartOfEachClipWhenOneLeavesTheBank) {
  clip().parameters["parts"] = std::string("1-2|3-4");
  ASSERT_EQ(make(take_out_of_bank(show_, kClip, 2)), "");
  EXPECT_THAT(bank(),
              ElementsAre(show::BankClip{"a.mp4", {1}}, show::BankClip{"c.mp4", {2, 3}, {3, 4}}));
  ASSERT_EQ(make(take_out_of_bank(show_, kClip, 2)), "");
  EXPECT_FALSE(slot().parameters.contains("parts"));
}

TEST_F(ClipDeckTest, PlaysAFileThatComesIntoTheBankWhole) {
  clip().parameters["parts"] = std::string("1-2|3-4|5-6");
  ASSERT_EQ(make(add_to_bank(show_, kClip, "d.mp4")), "");
  EXPECT_EQ(bank()[3], show::BankClip{"d.mp4"}) << "the part was of no clip";
  EXPECT_EQ(slot().parameters.at("parts"), show::ParameterValue(std::string("1-2|3-4")));
}

TEST_F(ClipDeckTest, PlaysAnotherFileWholeInThePlaceOfAClip) {
  clip().parameters["parts"] = std::string("1-2|3-4");
  ASSERT_EQ(make(take_clip(show_, kClip, 3, {TakeTime::at_once, 100s})), "");
  ASSERT_EQ(make(play_in_clip(show_, kClip, "d.mp4")), "");
  EXPECT_EQ(bank()[1].part, (show::ClipPart{1, 2}));
  EXPECT_EQ(bank()[2].part, show::ClipPart());
}

TEST_F(ClipDeckTest, MovesTheEndsOfThePartOfTheClipThatPlays) {
  using End = PartMove::End;
  ASSERT_EQ(make(move_part_end(show_, kClip, {End::in, 1.5}, {.playing = 3, .end = 5})), "");
  EXPECT_EQ(slot().parameters.at("parts"), show::ParameterValue(std::string("|1.5-")));
  ASSERT_EQ(make(move_part_end(show_, kClip, {End::out, 4}, {.playing = 3, .end = 5})), "");
  EXPECT_EQ(bank()[2].part, (show::ClipPart{1.5, 4}));
  ASSERT_EQ(make(move_part_end(show_, kClip, {End::out, 2}, {.playing = 1, .end = 5})), "");
  EXPECT_EQ(value("out"), 2);
  EXPECT_EQ(bank()[2].part, (show::ClipPart{1.5, 4}));
  ASSERT_EQ(make(move_part_end(show_, kClip, {End::out, 1}, {.playing = 3, .end = 1.2})), "");
  EXPECT_EQ(bank()[2].part, (show::ClipPart{0, 1})) << "the file had become shorter than its part";
  EXPECT_THAT(make(move_part_end(show_, kClip, {End::in, 1}, {.playing = 4, .end = 5})),
              HasSubstr("its bank has it no more"));
}

TEST_F(ClipDeckTest, FillsTheBankUpToItsLimit) {
  EXPECT_THAT(make(add_to_bank(show_, kClip, "x|y.mp4")), HasSubstr("rename the file"));
  for (int i = 0; i < 5; ++i)
    ASSERT_EQ(make(add_to_bank(show_, kClip, "d.mp4")), "");
  EXPECT_THAT(make(add_to_bank(show_, kClip, "d.mp4")), HasSubstr("full, with 8 clips"));
  EXPECT_THAT(make(add_to_bank(show_, {"left", "end"}, "d.mp4")), HasSubstr("is no clip"));
}

TEST_F(ClipDeckTest, KeepsUpToEightPointsForEachClip) {
  for (int i = 0; i < 7; ++i)
    ASSERT_EQ(make(add_point(show_, kClip, 1, 2 + i)), "");
  EXPECT_THAT(bank()[0].points, SizeIs(8));
  EXPECT_THAT(make(add_point(show_, kClip, 1, 20)), HasSubstr("forget one"));
  EXPECT_THAT(bank()[2].points, ElementsAre(2, 3)) << "another clip's";
  ASSERT_EQ(make(forget_point(show_, kClip, 3, 1)), "");
  EXPECT_THAT(bank()[2].points, ElementsAre(3));
  EXPECT_THAT(make(forget_point(show_, kClip, 2, 1)), HasSubstr("no cue point 1"));
}

TEST_F(ClipDeckTest, PlaysAnotherFileInThePlaceOfTheClipThatPlays) {
  ASSERT_EQ(make(take_clip(show_, kClip, 2, {TakeTime::next_beat, 100s})), "");
  ASSERT_EQ(make(play_in_clip(show_, kClip, "d.mp4")), "");
  EXPECT_THAT(bank(), ElementsAre(show::BankClip{"a.mp4", {1}}, show::BankClip{"d.mp4"},
                                  show::BankClip{"c.mp4", {2, 3}}));
  EXPECT_EQ(value_at("clip", 6000), 2);
  EXPECT_THAT(make(play_in_clip(show_, kClip, "x|y.mp4")), HasSubstr("rename the file"));
}

TEST(PlayInClip, GivesAClipThatWasLeftOutItsFile) {
  show::Show show;
  show::Submix submix;
  submix.name = "left";
  submix.slots.push_back(
      {"clip", "clip", {{"file", std::string("gone.mp4")}, {"in", 2.0}}, {}, true});
  show.submixes.push_back(submix);
  const auto edit = play_in_clip(show, {"left", "clip"}, "here.mp4");
  ASSERT_TRUE(edit) << edit.error().message;
  ASSERT_TRUE(apply(show, *edit));
  const auto& clip = *show.find_slot({"left", "clip"});
  EXPECT_FALSE(clip.is_bypassed);
  EXPECT_EQ(clip.parameters, (show::Parameters{{"file", std::string("here.mp4")}}));
  EXPECT_FALSE(is_structural(*edit)) << "a person may do it while performing";
}

}  // namespace
}  // namespace submix::model
