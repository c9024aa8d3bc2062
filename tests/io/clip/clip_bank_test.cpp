// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/io/clip/clip_fixture.hpp"

#include <gmock/gmock.h>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Clip 1 has the pictures 0 to 29, clip 2 those from 30 on, clip 3 those from 60 on.
class ClipBankTest : public ClipTest {
 protected:
  ClipBankTest() {
    int first = 0;
    for (const auto* file : {"a.mp4", "b.mp4", "c.mp4"}) {
      testing::write_numbered_clip(folder_ / file, {.pictures = 30, .first_number = first});
      first += 30;
    }
    clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4|c.mp4"}, {"points", "0.2|0.5 0.8"}});
  }
  void set(std::string_view name, double value) { clip_->set(name, value); }

  std::unique_ptr<plugin::Plugin> clip_;
};

TEST_F(ClipBankTest, TakesAnotherClipFromItsBeginningInTheFrameOfTheChange) {
  EXPECT_THAT(numbers(*clip_, {0, 1, 2, 3}), ElementsAre(0, 1, 2, 3));
  set("clip", 3);
  EXPECT_THAT(numbers(*clip_, {4, 5}), ElementsAre(60, 61));
  set("clip", 2);
  EXPECT_THAT(numbers(*clip_, {6, 7}), ElementsAre(30, 31));
  set("clip", 1);
  EXPECT_EQ(number(*clip_, 8), 0);
  EXPECT_EQ(held(*clip_), 0U);
}

TEST_F(ClipBankTest, HoldsItsClipWhereAFadeStatesTheNextOneForLater) {
  EXPECT_EQ(number(*clip_, 0), 0);
  set("clip", 2);  // as the change states it
  set("clip", 1);  // as the fade says now
  EXPECT_EQ(number(*clip_, 1), 1);
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 2), 30);
}

TEST_F(ClipBankTest, PlaysOnWhereTheBankHasNoSuchClip) {
  EXPECT_EQ(number(*clip_, 0), 0);
  set("clip", 7);
  EXPECT_EQ(number(*clip_, 1), 1);
  clip_->set("bank", std::string("b.mp4|nowhere.mp4"));
  numbers(*clip_, {2, 3, 4});
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("there is no such file"))) << "once";
  set("clip", 3);
  EXPECT_EQ(number(*clip_, 5), 5);
}

// It stayed refused until the bank changed.
TEST_F(ClipBankTest, TakesAFileThatHasComeBack) {
  std::filesystem::rename(folder_ / "b.mp4", folder_ / "away.mp4");
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4|c.mp4"}});
  numbers(*clip_, {0, 1, 2});
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 3), 3);
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("there is no such file"))) << "once";
  set("clip", 1);
  std::filesystem::rename(folder_ / "away.mp4", folder_ / "b.mp4");
  EXPECT_EQ(number(*clip_, 4), 4);
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 5), 30);
}

TEST_F(ClipBankTest, TakesAWantedFileWhenItComes) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "later.mp4"}});
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 1), 1);
  testing::write_numbered_clip(folder_ / "later.mp4", {.pictures = 30, .first_number = 90});
  EXPECT_EQ(number(*clip_, 59), 29);
  EXPECT_EQ(number(*clip_, 60), 90) << "it is looked for every two seconds";
}

TEST_F(ClipBankTest, KeepsTheClipThatPlaysWhenItGetsAnotherNumber) {
  numbers(*clip_, {0, 1});
  set("clip", 3);
  EXPECT_EQ(number(*clip_, 2), 60);
  clip_->set("bank", std::string("c.mp4"));
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 3), 61);
}

TEST_F(ClipBankTest, JumpsToACuePointOfTheClipThatPlays) {
  EXPECT_EQ(number(*clip_, 0), 0);
  set("point", 1);
  EXPECT_THAT(numbers(*clip_, {1, 2}), ElementsAre(6, 7));
  set("point", 2);
  EXPECT_EQ(number(*clip_, 3), 8) << "the first clip has one point";
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 4), 30);
  set("point", 0);
  EXPECT_EQ(number(*clip_, 5), 31) << "0 is none";
  set("point", 2);
  EXPECT_EQ(number(*clip_, 6), 54);
}

TEST_F(ClipBankTest, AppliesItsPointsInAndOutToTheFirstClipOnly) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4"}, {"in", 0.5}, {"points", "0.8"}});
  EXPECT_EQ(number(*clip_, 0), 15);
  set("point", 1);
  EXPECT_EQ(number(*clip_, 1), 24);
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 2), 30);
  set("clip", 1);
  EXPECT_EQ(number(*clip_, 3), 15);
}

TEST_F(ClipBankTest, BeginsEachClipAtItsInPointHoweverThePointsWereMoved) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4"}});
  EXPECT_EQ(number(*clip_, 7), 7);
  set("in", 0.5);
  EXPECT_EQ(number(*clip_, 8), 15);
  set("clip", 2);
  EXPECT_EQ(number(*clip_, 9), 30);
  set("in", 0.2);
  EXPECT_EQ(number(*clip_, 10), 31) << "clip 1's";
  set("clip", 1);
  EXPECT_EQ(number(*clip_, 11), 6);
}

TEST_F(ClipBankTest, BeginsWithTheClipThatTheShowNames) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4"}, {"clip", 2.0}});
  EXPECT_EQ(number(*clip_, 0), 30);
}

TEST_F(ClipBankTest, PlaysThePartOfEachClip) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4|c.mp4"}, {"parts", "0.5-0.6|0.8-"}});
  EXPECT_EQ(number(*clip_, 0), 0);
  set("clip", 2);
  EXPECT_THAT(numbers(*clip_, {1, 2, 3, 4, 5}), ElementsAre(45, 46, 47, 45, 46));
  set("clip", 3);
  EXPECT_THAT(numbers(*clip_, {6, 7, 11, 12}), ElementsAre(84, 85, 89, 84));
  set("clip", 1);
  EXPECT_THAT(numbers(*clip_, {13, 14}), ElementsAre(0, 1));
  EXPECT_EQ(held(*clip_), 0U);
}

TEST_F(ClipBankTest, BeginsWithThePartOfTheClipThatTheShowNames) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4"}, {"clip", 2.0}, {"parts", "0.5-0.6"}});
  EXPECT_THAT(numbers(*clip_, {0, 2, 3}), ElementsAre(45, 47, 45));
}

TEST_F(ClipBankTest, MovesAPartAroundTheMomentThatPlays) {
  set("clip", 2);
  EXPECT_THAT(numbers(*clip_, {0, 11}), ElementsAre(30, 41));
  clip_->set("parts", std::string("0.3-0.5"));
  EXPECT_THAT(numbers(*clip_, {12, 14, 15, 16}), ElementsAre(42, 44, 39, 40));
  clip_->set("parts", std::string("0.3-0.5|0.2-0.4"));
  EXPECT_EQ(number(*clip_, 17), 41) << "another clip's";
  clip_->set("parts", std::string());
  EXPECT_THAT(numbers(*clip_, {18, 30}), ElementsAre(42, 54));
  EXPECT_THAT(rig_.events.lines(), IsEmpty());
}

TEST_F(ClipBankTest, JumpsToACuePointThatCountsFromTheBeginOfTheFile) {
  clip_ = open({{"file", "a.mp4"},
                {"bank", "b.mp4"},
                {"clip", 2.0},
                {"parts", "0.4-0.9"},
                {"points", "|0.6"}});
  EXPECT_EQ(number(*clip_, 0), 42);
  set("point", 1);
  EXPECT_EQ(number(*clip_, 1), 48);
}

TEST_F(ClipBankTest, KeepsThePartOfTheClipThatPlaysWhenItGetsAnotherNumber) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4|c.mp4"}, {"clip", 3.0}, {"parts", "|0.5-0.6"}});
  EXPECT_THAT(numbers(*clip_, {0, 1}), ElementsAre(75, 76));
  clip_->set("bank", std::string("c.mp4"));
  clip_->set("parts", std::string("0.5-0.6"));
  set("clip", 2);
  EXPECT_THAT(numbers(*clip_, {2, 3, 4}), ElementsAre(77, 75, 76));
}

TEST_F(ClipBankTest, PlaysAClipWholeThatHasNothingOfItsPart) {
  clip_ = open({{"file", "a.mp4"}, {"bank", "b.mp4"}, {"clip", 2.0}, {"parts", "5-6"}});
  EXPECT_THAT(numbers(*clip_, {0, 1, 29, 30}), ElementsAre(30, 31, 59, 30));
  EXPECT_THAT(clip_->trouble(), HasSubstr("left.clip: clip 2 plays whole: its part begins at 5 s, "
                                          "past the end of"));
  EXPECT_THAT(rig_.events.lines(), ElementsAre(HasSubstr("b.mp4, at 1.00 s")));
  clip_->set("parts", std::string("0.5-6"));
  EXPECT_EQ(number(*clip_, 31), 45);
  EXPECT_EQ(clip_->trouble(), "");
  clip_->set("parts", std::string("5-"));
  EXPECT_EQ(number(*clip_, 32), 46) << "it plays on";
  EXPECT_THAT(clip_->trouble(), HasSubstr("clip 2 plays whole"));
  set("clip", 1);
  numbers(*clip_, {33, 34});
  EXPECT_EQ(clip_->trouble(), "");
}

// The part of clip 2 would have been clip 1's.
TEST_F(ClipBankTest, PlaysItsFirstClipWholeWhereThePointsLieBehindItsEnd) {
  clip_ = open(
      {{"file", "a.mp4"}, {"bank", "b.mp4"}, {"clip", 2.0}, {"in", 5.0}, {"parts", "0.5-0.6"}});
  EXPECT_EQ(number(*clip_, 0), 45);
  set("clip", 1);
  EXPECT_THAT(numbers(*clip_, {1, 2, 3, 4, 5}), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(clip_->trouble(), HasSubstr("in point 5 s is past the end"));
  EXPECT_THAT(clip_->trouble(), HasSubstr("it plays whole, but the clip cannot be started"));
}

// Two clips of one file: a new cue point made the one that was to come play on from the other.
TEST_F(ClipBankTest, KnowsTwoClipsOfOneFileApart) {
  clip_ =
      open({{"file", "a.mp4"}, {"bank", "b.mp4|b.mp4"}, {"clip", 2.0}, {"parts", "0-0.2|0.5-0.7"}});
  EXPECT_EQ(number(*clip_, 0), 30);
  set("clip", 3);
  clip_->set("points", std::string("|0.1"));
  EXPECT_THAT(numbers(*clip_, {1, 2}), ElementsAre(45, 46));
}

}  // namespace
}  // namespace submix::io
