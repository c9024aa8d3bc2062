// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_changes.hpp"

#include "common/show/validate.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"
#include "tests/model/show_under_edit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::HasSubstr;

class ShowChangesTest : public ShowUnderEdit {
 protected:
  void add_input(const std::string& name) {
    show_.find_submix("mix")->slots.push_back(sample::slot(name, "stream-in"));
  }
};

TEST_F(ShowChangesTest, ASubmixIsAddedWithASourceAndItsNode) {
  make(add_submix(show_, {"right", "rack3"}));
  EXPECT_EQ(show_.find_submix("right")->slots.front().plugin, "pattern");
  EXPECT_EQ(show_.nodes.back().name, "rack3");
  EXPECT_THAT(why(add_submix(show_, {"left"})), HasSubstr("already"));
  EXPECT_THAT(why(add_submix(show_, {"Le ft"})), HasSubstr("cannot be a name"));
}

TEST_F(ShowChangesTest, AStreamsEndsGoWithTheirSubmix) {
  const auto edit = delete_submix(show_, "left");
  make(edit);
  EXPECT_EQ(title(*edit), "delete submix left and 1 stream");
  EXPECT_TRUE(show_.streams.empty());
  EXPECT_THAT(why(delete_submix(show_, "mxi")), HasSubstr("did you mean \"mix\""));
}

TEST_F(ShowChangesTest, ASubmixThatStandsInOthersIsNotDeleted) {
  show_.find_submix("mix")->slots.push_back(sample::slot("look", "submix/left"));
  EXPECT_THAT(why(delete_submix(show_, "left")), HasSubstr("stands in slots of others"));
  show_.find_submix("mix")->slots.pop_back();
  show_.output_chain = "left";
  EXPECT_THAT(why(delete_submix(show_, "left")), HasSubstr("outputs are shown through"));
}

TEST_F(ShowChangesTest, ARenamedSubmixIsFollowed) {
  show_.find_submix("mix")->slots.push_back(sample::slot("look", "submix/left"));
  make(rename_submix(show_, "left", "links"));
  EXPECT_EQ(show_.streams.front().from.submix, "links");
  EXPECT_EQ(show_.find_slot({"mix", "look"})->plugin, "submix/links");
  EXPECT_THAT(why(rename_submix(show_, "links", "mix")), HasSubstr("already"));
}

TEST_F(ShowChangesTest, AStreamConnectsAnOutputToAnInput) {
  add_input("second");
  make(add_stream(show_, {{"left", "out"}, {"mix", "second"}}));
  const auto& stream = show_.streams.back();
  EXPECT_EQ(stream.name, "left-mix") << "left is taken";
  EXPECT_EQ(stream.to, (show::Port{"mix", "second"}));
}

TEST_F(ShowChangesTest, AStreamFindsTheEndsOfItsSubmixes) {
  add_input("second");
  make(add_stream(show_, {{"left", ""}, {"mix", ""}, "again"}));
  EXPECT_EQ(show_.find_stream("again")->to.slot, "second");
  EXPECT_THAT(why(add_stream(show_, {{"left", ""}, {"mix", ""}})),
              HasSubstr("submix slot insert mix stream-in"));
  EXPECT_THAT(why(add_stream(show_, {{"mix", ""}, {"mix", ""}})),
              HasSubstr("has no \"stream-out\" slot"));
}

TEST_F(ShowChangesTest, AStreamTakesThePlaceOfAnotherOnlyWhenTold) {
  auto show = show_;
  ASSERT_TRUE(model::apply(show, *add_stream(show, {{"left", "out"}, {"mix", "left"}})));
  EXPECT_THAT(to_string(show::validate(show)), HasSubstr("is wired twice"));
  make(add_stream(show_, {{"left", "out"}, {"mix", "left"}, "new", true}));
  ASSERT_EQ(show_.streams.size(), 1U);
  EXPECT_EQ(show_.streams.front().name, "new");
}

TEST_F(ShowChangesTest, AStreamIsDeletedRenamedAndChecked) {
  make(rename_stream(show_, "left", "cable"));
  make(set_checksum(show_, "cable", Checksum::xxh3));
  EXPECT_EQ(show_.find_stream("cable")->checksum, Checksum::xxh3);
  make(set_pixels(show_, "cable", PixelFormat::rgba));
  EXPECT_EQ(show_.find_stream("cable")->pixels, PixelFormat::rgba);
  make(set_encryption(show_, "cable", false));
  EXPECT_FALSE(show_.find_stream("cable")->is_encrypted);
  make(set_local(show_, "cable", false));
  make(delete_stream(show_, "cable"));
  EXPECT_TRUE(show_.streams.empty());
  EXPECT_THAT(why(set_checksum(sample::show(), "lfet", Checksum::none)),
              HasSubstr("did you mean \"left\""));
}

TEST_F(ShowChangesTest, NameSizeRateDelayAndChainAreTheShows) {
  make(Edit(SetShowName{"trio"}));
  make(Edit(SetShowSize{{1920, 1080}}));
  make(Edit(SetShowRate{{60, 1}}));
  EXPECT_EQ(show_.name, "trio");
  EXPECT_EQ(show_.rate, (FrameRate{60, 1}));
  EXPECT_EQ(show_.size, (Size{1920, 1080}));
  make(Edit(SetShowDelay{4}));
  EXPECT_EQ(show_.delay_frames, 4);
  EXPECT_EQ(title(SetShowDelay{0}), "show delay least");
  EXPECT_EQ(title(SetShowSize{{640, 480}}), "show size 640x480");
  EXPECT_EQ(title(SetOutputChain{"left"}), "output chain left");
  make(set_frames_in_flight(show_, "left", 4));
  EXPECT_EQ(show_.find_submix("left")->frames_in_flight, 4);
}

TEST_F(ShowChangesTest, TheNodeThatListensIsRenamedAndDeletedWithTheShow) {
  make(add_node(show_, "rack3", "third"));
  make(Edit(SetSound{{"rack3", "hw:1,0"}}));
  make(rename_node(show_, "rack3", "rack4"));
  EXPECT_EQ(show_.sound, (show::SoundInput{"rack4", "hw:1,0"}));
  make(delete_node(show_, "rack4"));
  EXPECT_EQ(show_.sound, show::SoundInput());
  EXPECT_EQ(title(SetSound{{"rack1", ""}}), "listen on rack1");
  EXPECT_EQ(title(SetSound{}), "listen to no sound");
}

TEST_F(ShowChangesTest, TheSoundOfAClipIsRenamedAndMovedWithItsSubmix) {
  make(Edit(SetSound{{"rack1", "clip:left.clip"}}));
  make(rename_submix(show_, "left", "film"));
  EXPECT_EQ(show_.sound, (show::SoundInput{"rack1", "clip:film.clip"}));
  make(Edit(AssignSubmix{"film", "rack2"}));
  EXPECT_EQ(show_.sound, (show::SoundInput{"rack2", "clip:film.clip"}));
}

TEST_F(ShowChangesTest, AShowWhoseSoundStaysWhereItsClipLeavesIsReachedByItsDifference) {
  show_.sound = {"rack1", "clip:left.clip"};
  auto stays = show_;
  stays.find_submix("left")->node = "rack2";
  make(difference(show_, stays, "stay"));
  EXPECT_TRUE(show_ == stays);
  show_.sound.node = "rack2";
  auto back = show_;
  back.find_submix("left")->node = "rack1";
  back.sound.node = "rack1";
  make(difference(show_, back, "back"));
  EXPECT_TRUE(show_ == back);
}

TEST_F(ShowChangesTest, ANodeThatRunsASubmixIsNotDeleted) {
  make(add_node(show_, "rack3", "third"));
  make(delete_node(show_, "rack3"));
  EXPECT_THAT(why(delete_node(show_, "rack1")), HasSubstr("runs submix \"left\""));
  EXPECT_THAT(why(add_node(show_, "rack1", "")), HasSubstr("already"));
}

TEST_F(ShowChangesTest, ARenamedNodeIsFollowed) {
  show_.cues = {{.name = "move", .text = {}, .changes = {show::CueAssign{"left", "rack2"}}}};
  make(rename_node(show_, "rack2", "stage"));
  EXPECT_EQ(show_.nodes[1].name, "stage");
  EXPECT_EQ(show_.find_submix("mix")->node, "stage");
  EXPECT_EQ(std::get<show::CueAssign>(show_.cues[0].changes[0]).node, "stage");
  EXPECT_THAT(why(rename_node(show_, "stage", "rack1")), HasSubstr("already"));
  EXPECT_THAT(why(rename_node(show_, "stag", "x")), HasSubstr("did you mean \"stage\""));
}

}  // namespace
}  // namespace submix::model
