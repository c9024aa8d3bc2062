// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/relinking.hpp"

#include "common/show/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

show::Show show_with(const std::string& file) {
  show::Show show;
  show.nodes = {{"left", {}}, {"right", {}}};
  show::Submix submix;
  submix.name = "one";
  submix.node = "left";
  submix.slots.push_back({"clip", "clip", {{"file", file}}, {}, false});
  submix.slots.push_back({"file", "frei0r/glow", {{"file", file}}, {}, false});
  show.submixes.push_back(submix);
  return show;
}

MediaLists lists() {
  MediaLists lists;
  lists["left"].list.files = {{"rain/drops.mp4", 5}, {"sun.mp4", 5}};
  lists["right"].list.files = {{"drops.mp4", 5}, {"moon.mp4", 5}};
  return lists;
}

TEST(Relinking, FindsAFileOfTheSameNameOnItsNodeFirst) {
  const auto missing = find_missing_files(show_with("old/drops.mp4"), lists());
  ASSERT_THAT(missing, SizeIs(1)) << "a filter's text is no file";
  EXPECT_EQ(missing[0].slot, (show::Port{"one", "clip"}));
  EXPECT_EQ(missing[0].wanted, (NodeFile{"left", "old/drops.mp4", 0}));
  EXPECT_THAT(missing[0].found, ElementsAre(NodeFile{"left", "rain/drops.mp4", 5},
                                            NodeFile{"right", "drops.mp4", 5}));
  EXPECT_THAT(find_missing_files(show_with("moon.mp4"), lists())[0].found,
              ElementsAre(NodeFile{"right", "moon.mp4", 5}));
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), lists())[0].found, IsEmpty());
}

TEST(Relinking, MissesNothingThatIsThereOrMayBe) {
  EXPECT_THAT(find_missing_files(show_with("sun.mp4"), lists()), IsEmpty());
  EXPECT_THAT(find_missing_files(show_with(""), lists()), IsEmpty());
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), {}), IsEmpty()) << "nobody was asked";
  auto cut = lists();
  cut["left"].list.is_cut = true;
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), cut), IsEmpty());
  auto silent = lists();
  silent["left"].error = "does not answer";
  EXPECT_THAT(find_missing_files(show_with("stars.mp4"), silent), IsEmpty());
}

TEST(Relinking, LooksForAnAbsoluteNameToo) {
  const auto missing = find_missing_files(show_with("/media/usb/moon.mp4"), lists());
  ASSERT_THAT(missing, SizeIs(1)) << "only its node knows whether it has it";
  EXPECT_THAT(missing[0].found, ElementsAre(NodeFile{"right", "moon.mp4", 5}));
  EXPECT_THAT(find_missing_files(show_with("/media/usb/moon.mp4"), {}), IsEmpty());
}

TEST(Relinking, ChoosesOnlyWhatIsClear) {
  const NodeFile own{"left", "a/drops.mp4", 5};
  const NodeFile own_too{"left", "b/drops.mp4", 5};
  const NodeFile other{"right", "drops.mp4", 5};
  const NodeFile other_size{"far", "drops.mp4", 6};
  const NodeFile wanted{"left", "drops.mp4", 0};
  EXPECT_EQ(clear_choice({{}, wanted, {}}), std::nullopt);
  EXPECT_EQ(clear_choice({{}, wanted, {own, other_size}}), own);
  EXPECT_EQ(clear_choice({{}, wanted, {own, own_too}}), std::nullopt);
  EXPECT_EQ(clear_choice({{}, wanted, {other, other}}), other);
  EXPECT_EQ(clear_choice({{}, wanted, {other, other_size}}), std::nullopt);
}

TEST(Relinking, RenamesAFileWhereverTheShowSetsIt) {
  auto show = show_with("old.mp4");
  const show::Port clip{"one", "clip"};
  show.presets = {{"of slot", clip, {{"file", "old.mp4"}}, {}},
                  {"of submix", {"one", ""}, {{"clip.file", "old.mp4"}}, {}},
                  {"of another", clip, {{"file", "other.mp4"}}, {}}};
  show.cues = {{"go", "", 0, {}, {show::CueParameter{clip, "file", "old.mp4"}}}};
  const auto after = relinked(show, {{clip, "new.mp4"}});
  const show::ParameterValue renamed("new.mp4");
  EXPECT_EQ(after.find_slot(clip)->parameters.at("file"), renamed);
  EXPECT_EQ(after.presets[0].parameters.at("file"), renamed);
  EXPECT_EQ(after.presets[1].parameters.at("clip.file"), renamed);
  EXPECT_EQ(after.presets[2], show.presets[2]);
  EXPECT_EQ(std::get<show::CueParameter>(after.cues[0].changes[0]).value, renamed);
}

TEST(Relinking, BypassesASlotThatIsLeftOut) {
  const show::Port clip{"one", "clip"};
  const auto after = relinked(show_with("old.mp4"), {{clip, ""}});
  EXPECT_TRUE(after.find_slot(clip)->is_bypassed);
  EXPECT_EQ(after.find_slot(clip)->parameters.at("file"), show::ParameterValue("old.mp4"));
}

// A clip of a bank was not looked for: it was missed in the show.
class RelinkingABank : public ::testing::Test {
 protected:
  RelinkingABank() {
    auto& parameters = show_.submixes[0].slots[0].parameters;
    parameters["bank"] = "rain/drops.mp4|far.mp4";
    parameters["clip"] = 3.0;
  }
  show::Show show_ = show_with("sun.mp4");
  const show::Port clip_{"one", "clip"};
};

TEST_F(RelinkingABank, FindsItsMissingClips) {
  const auto missing = find_missing_files(show_, lists());
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_EQ(missing[0].wanted, (NodeFile{"left", "far.mp4", 0}));
  EXPECT_EQ(missing[0].clip, 3U);
  show_.submixes[0].slots[0].parameters.erase("file");
  EXPECT_THAT(nodes_with_files(show_), ElementsAre("left")) << "the bank has files";
}

TEST_F(RelinkingABank, RenamesAClipWhereverTheShowSetsTheBank) {
  show_.presets = {{"of slot", clip_, {{"bank", "rain/drops.mp4|far.mp4"}}, {}},
                   {"of another", clip_, {{"bank", "far.mp4"}}, {}}};
  const auto after = relinked(show_, {{clip_, "near.mp4", 3}, {clip_, "drops.mp4", 2}});
  const show::ParameterValue renamed("drops.mp4|near.mp4");
  EXPECT_EQ(after.find_slot(clip_)->parameters.at("bank"), renamed);
  EXPECT_EQ(after.find_slot(clip_)->parameters.at("file"), show::ParameterValue("sun.mp4"));
  EXPECT_EQ(after.presets[0].parameters.at("bank"), renamed);
  EXPECT_EQ(after.presets[1], show_.presets[1]);
}

TEST_F(RelinkingABank, PlaysItsFirstClipInThePlaceOfOneThatIsLeftOut) {
  const auto after = relinked(show_, {{clip_, "", 3}});
  EXPECT_FALSE(after.find_slot(clip_)->is_bypassed);
  EXPECT_FALSE(after.find_slot(clip_)->parameters.contains("clip"));
  EXPECT_EQ(after.find_slot(clip_)->parameters.at("bank"),
            show::ParameterValue("rain/drops.mp4|far.mp4"));
  const auto other = relinked(show_, {{clip_, "a|b.mp4", 2}});
  EXPECT_EQ(other.find_slot(clip_)->parameters, show_.find_slot(clip_)->parameters);
}

}  // namespace
}  // namespace submix::model
