// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/clip_beats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::model {
namespace {

using ::testing::HasSubstr;

const show::Port kBeatClip{"left", "clip"};

// At 120 beats a minute a beat lasts half a second.
class ClipBeatsTest : public ::testing::Test {
 protected:
  ClipBeatsTest() {
    show_.submixes.push_back({"left", "", {{"clip", "clip", {}, {}, false}}});
    show_.submixes[0].slots.push_back({"end", "null", {}, {}, false});
  }
  /// Empty: the edit was made.
  std::string make(const Result<Edit>& edit) {
    if (!edit) return edit.error().message;
    EXPECT_FALSE(is_structural(*edit)) << "a person may do it while performing";
    const auto done = apply(show_, *edit);
    return done ? std::string() : done.error().message;
  }
  std::string loop(double beats) { return make(loop_beats(show_, kBeatClip, beats, report_)); }
  std::string sync(std::optional<double> beats) {
    return make(sync_to_beats(show_, kBeatClip, beats, report_));
  }
  [[nodiscard]] show::Slot& slot() { return *show_.find_slot(kBeatClip); }
  [[nodiscard]] double value(const char* name) {
    const auto found = slot().parameters.find(name);
    return found == slot().parameters.end() ? 0 : std::get<double>(found->second);
  }
  [[nodiscard]] std::string text(const char* name) {
    const auto found = slot().parameters.find(name);
    return found == slot().parameters.end() ? "" : std::get<std::string>(found->second);
  }
  [[nodiscard]] double looped() { return looped_beats(show_, slot(), report_); }

  show::Show show_;
  ClipReport report_{.playing = 1, .position = 3.2104, .end = 10};
};

TEST_F(ClipBeatsTest, LoopsFromWhereTheClipIs) {
  ASSERT_EQ(loop(4), "");
  EXPECT_DOUBLE_EQ(value("in"), 3.21);
  EXPECT_DOUBLE_EQ(value("out"), 5.21);
  EXPECT_DOUBLE_EQ(looped(), 4);
}

TEST_F(ClipBeatsTest, CountsBeatsAtTheSpeedOfTheClip) {
  slot().parameters["speed"] = 0.5;
  ASSERT_EQ(loop(4), "");
  EXPECT_DOUBLE_EQ(value("out"), 4.21);
  EXPECT_DOUBLE_EQ(looped(), 4);
  slot().parameters["speed"] = 0.0;
  EXPECT_DOUBLE_EQ(looped(), 2) << "it stands still";
}

TEST_F(ClipBeatsTest, HasTheLoopBehindAClipThatPlaysBackwards) {
  slot().parameters["speed"] = -1.0;
  ASSERT_EQ(loop(2), "");
  EXPECT_DOUBLE_EQ(value("in"), 2.21);
  EXPECT_DOUBLE_EQ(value("out"), 3.21);
  ASSERT_EQ(loop(4), "");
  EXPECT_DOUBLE_EQ(value("in"), 1.21);
  EXPECT_DOUBLE_EQ(value("out"), 3.21) << "where it begins stays";
}

TEST_F(ClipBeatsTest, ChangesOnlyTheLengthOfALoopThatPlays) {
  ASSERT_EQ(loop(4), "");
  report_.position = 4.5;
  ASSERT_EQ(loop(8), "");
  EXPECT_DOUBLE_EQ(value("in"), 3.21);
  EXPECT_DOUBLE_EQ(value("out"), 7.21);
  ASSERT_EQ(loop(0.5), "");
  EXPECT_DOUBLE_EQ(value("in"), 3.21);
  EXPECT_DOUBLE_EQ(value("out"), 3.46);
}

TEST_F(ClipBeatsTest, EndsALoopAtTheClipsEnd) {
  report_.position = 9.5;
  ASSERT_EQ(loop(4), "");
  EXPECT_DOUBLE_EQ(value("in"), 8);
  EXPECT_DOUBLE_EQ(value("out"), 10);
}

TEST_F(ClipBeatsTest, TurnsTheLoopOn) {
  slot().parameters["loop"] = false;
  ASSERT_EQ(loop(4), "");
  EXPECT_EQ(slot().parameters["loop"], show::ParameterValue(true));
  slot().parameters["loop"] = false;
  EXPECT_EQ(looped(), 0);
}

TEST_F(ClipBeatsTest, PlaysWholeAgain) {
  ASSERT_EQ(loop(4), "");
  ASSERT_EQ(make(end_loop(show_, kBeatClip, report_)), "");
  EXPECT_FALSE(slot().parameters.contains("in"));
  EXPECT_FALSE(slot().parameters.contains("out"));
  EXPECT_FALSE(slot().parameters.contains("beats"));
  EXPECT_EQ(looped(), 0);
}

TEST_F(ClipBeatsTest, SaysWhyALoopDoesNotFit) {
  EXPECT_EQ(
      loop(32),
      "left.clip: a loop of 32 beats has 16.00 s, and the clip has 10.00 s; take fewer beats, or a "
      "faster tempo");
  slot().parameters["speed"] = 0.25;
  EXPECT_EQ(
      loop(0.5),
      "left.clip: a loop of 0.5 beats has 0.062 s, less than 0.1 s; take more beats, or a slower "
      "tempo");
  report_.playing = 2;
  EXPECT_EQ(loop(4), "left.clip: clip 2 plays, and its bank has it no more; play another one");
  report_ = {};
  EXPECT_THAT(loop(4), HasSubstr("its length is not known"));
  EXPECT_THAT(make(loop_beats(show_, {"left", "end"}, 4, report_)), HasSubstr("is no clip"));
}

TEST_F(ClipBeatsTest, HasNoBeatsWhereTheyStandStill) {
  ASSERT_EQ(loop(4), "");
  ASSERT_EQ(sync(4), "");
  show_.tempo.master_speed = 0;
  EXPECT_EQ(looped(), 4) << "a synced clip has its beats";
  EXPECT_EQ(played_speed(show_, slot(), report_), 0);
  EXPECT_THAT(loop(4), HasSubstr("the beats stand still"));
  EXPECT_THAT(sync(4), HasSubstr("the beats stand still"));
  ASSERT_EQ(make(end_sync(show_, kBeatClip)), "");
  EXPECT_EQ(looped(), 0);
  EXPECT_EQ(make(end_loop(show_, kBeatClip, report_)), "");
}

TEST_F(ClipBeatsTest, TakesTheNearestNumberOfBeats) {
  report_.end = 10.6;
  ASSERT_EQ(sync({}), "");
  EXPECT_EQ(value("beats"), 21);
  EXPECT_DOUBLE_EQ(played_speed(show_, slot(), report_), 10.6 / 10.5);
  slot().parameters = {{"speed", -2.0}};
  ASSERT_EQ(sync({}), "");
  EXPECT_EQ(value("beats"), 11);
  EXPECT_DOUBLE_EQ(played_speed(show_, slot(), report_), -10.6 / 5.5);
  EXPECT_EQ(value("speed"), -2) << "for when it is synced no more";
}

TEST_F(ClipBeatsTest, TakesAtLeastOneBeatAndAtMostWhatThereIs) {
  report_.end = 0.1;
  ASSERT_EQ(sync({}), "");
  EXPECT_EQ(value("beats"), 1);
  report_.end = 7000;
  slot().parameters = {{"speed", 1.0}};
  ASSERT_EQ(sync({}), "");
  EXPECT_EQ(value("beats"), 1024);
}

TEST_F(ClipBeatsTest, RefusesASpeedThatIsTooGreat) {
  report_.end = 60;
  EXPECT_EQ(sync(4),
            "left.clip: 60.00 s in 4 beats would be 30.0 times the recorded speed, more than 16; "
            "take 8 beats");
  EXPECT_EQ(sync(8), "");
}

TEST_F(ClipBeatsTest, KeepsThePaceOfASyncedClip) {
  ASSERT_EQ(sync(10), "");
  const double pace = played_speed(show_, slot(), report_);
  ASSERT_EQ(loop(4), "");
  EXPECT_DOUBLE_EQ(value("out") - value("in"), 4);
  EXPECT_EQ(value("beats"), 4);
  EXPECT_DOUBLE_EQ(played_speed(show_, slot(), report_), pace);
  EXPECT_EQ(looped(), 4);
  ASSERT_EQ(make(end_loop(show_, kBeatClip, report_)), "");
  EXPECT_EQ(value("beats"), 10);
  EXPECT_DOUBLE_EQ(played_speed(show_, slot(), report_), pace);
}

TEST_F(ClipBeatsTest, LoopsEachClipOfTheBankByItself) {
  slot().parameters["bank"] = std::string("b.mp4|c.mp4");
  ASSERT_EQ(loop(4), "");
  report_ = {.playing = 3, .position = 1, .end = 8};
  EXPECT_EQ(looped(), 0);
  ASSERT_EQ(loop(2), "");
  EXPECT_EQ(text("parts"), "|1-2");
  EXPECT_DOUBLE_EQ(looped(), 2);
  report_.playing = 2;
  report_.position = 4;
  ASSERT_EQ(loop(8), "");
  EXPECT_EQ(text("parts"), "4-8|1-2");
  EXPECT_DOUBLE_EQ(value("out"), 5.21) << "clip 1's";
  report_.playing = 3;
  ASSERT_EQ(make(end_loop(show_, kBeatClip, report_)), "");
  EXPECT_EQ(text("parts"), "4-8");
  report_.playing = 2;
  ASSERT_EQ(make(end_loop(show_, kBeatClip, report_)), "");
  EXPECT_FALSE(slot().parameters.contains("parts"));
  EXPECT_DOUBLE_EQ(value("out"), 5.21);
}

TEST_F(ClipBeatsTest, SyncsThePartOfTheClipThatPlays) {
  slot().parameters["bank"] = std::string("b.mp4");
  ASSERT_EQ(loop(4), "");
  report_ = {.playing = 2, .position = 1, .end = 8};
  ASSERT_EQ(sync({}), "");
  EXPECT_EQ(value("beats"), 16);
  EXPECT_EQ(looped(), 0);
  ASSERT_EQ(loop(4), "");
  EXPECT_EQ(value("beats"), 4);
  EXPECT_EQ(text("parts"), "1-3");
}

TEST_F(ClipBeatsTest, PlaysAClipWholeThatHasNothingOfItsPart) {
  slot().parameters["bank"] = std::string("b.mp4");
  slot().parameters["parts"] = std::string("20-24");
  report_ = {.playing = 2, .position = 1, .end = 8};
  EXPECT_EQ(played_part(slot(), report_), (show::ClipPart{0, 8}));
  ASSERT_EQ(loop(4), "");
  EXPECT_EQ(text("parts"), "1-3");
}

TEST_F(ClipBeatsTest, KnowsWhetherALoopFitsWithoutMakingIt) {
  const auto fit = [&](double beats) { return loop_fit(show_, kBeatClip, beats, report_); };
  for (const double beats : kLoopBeats)
    EXPECT_EQ(fit(beats), LoopFit::fits) << beats;
  EXPECT_EQ(fit(32), LoopFit::too_long);
  EXPECT_EQ(fit(0.1), LoopFit::too_short);
  EXPECT_EQ(fit(0), LoopFit::no_length);
  report_.playing = 2;
  EXPECT_EQ(fit(4), LoopFit::not_in_bank);
  report_.end = 0;
  EXPECT_EQ(fit(4), LoopFit::not_told);
  report_.end = 10;
  show_.tempo.master_speed = 0;
  EXPECT_EQ(fit(4), LoopFit::no_beat);
  EXPECT_EQ(loop_fit(show_, {"left", "end"}, 4, report_), LoopFit::no_clip);
}

}  // namespace
}  // namespace submix::model
