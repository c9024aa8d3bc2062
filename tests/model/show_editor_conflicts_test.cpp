// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "tests/model/show_editor_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

Edit insert_hue(const show::Show& show) {
  PluginMap plugins;
  plugins["frei0r/hue"].kind = "filter";
  return insert_slot(show, plugins, {"left", "clip"}, {"frei0r/hue"}).value();
}

TEST_F(ShowEditorTest, WritesANameOnTopOfSomebodyElsesRateAndSize) {
  auto renamed = sample::show();
  renamed.name = "trio";
  ASSERT_TRUE(editor_.edit(difference(sample::show(), renamed, "another name")));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_refused();
  auto theirs = with(SetShowRate{{60, 1}});
  theirs.size = {640, 480};
  set(theirs, 2);
  EXPECT_TRUE(editor_.take_conflicts().empty());
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->show.name, "trio");
  EXPECT_EQ(write->show.rate, (FrameRate{60, 1}));
  EXPECT_EQ(write->show.size, (Size{640, 480}));
}

TEST_F(ShowEditorTest, PutsAnEditOnTopOfSomebodyElsesEditOfAnotherThing) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_refused();
  EXPECT_FALSE(editor_.next_write()) << "the newer show has not come yet";
  set(with(blur(0.1)), 2);
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->expected_revision, 2U);
  EXPECT_EQ(node_of_left(), "rack2");
  EXPECT_EQ(blur_now(), 0.1);
  EXPECT_TRUE(editor_.take_conflicts().empty());
}

TEST_F(ShowEditorTest, TakesBackAnEditOfWhatSomebodyElseChangedAndSaysSo) {
  ASSERT_TRUE(editor_.edit(blur(0.6)));
  ASSERT_TRUE(editor_.next_write());
  set(with(blur(0.1)), 2);
  editor_.write_refused();
  EXPECT_EQ(blur_now(), 0.1);
  EXPECT_FALSE(editor_.next_write());
  ASSERT_EQ(editor_.take_conflicts().size(), 1U);
  EXPECT_TRUE(editor_.take_conflicts().empty());
}

TEST_F(ShowEditorTest, DoesNotUndoOtherPeoplesWork) {
  ASSERT_TRUE(editor_.edit(blur(0.6)));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_accepted(2);
  set(with(blur(0.9)), 3);
  EXPECT_FALSE(editor_.undo());
  EXPECT_EQ(blur_now(), 0.9);
}

TEST_F(ShowEditorTest, IgnoresAnOlderShowButNotAfterAReconnect) {
  set(with(kMove), 5);
  set(sample::show(), 4);
  EXPECT_EQ(node_of_left(), "rack2");
  editor_.begin_connection();
  set(sample::show(), 1);
  EXPECT_EQ(node_of_left(), "rack1");
}

TEST_F(ShowEditorTest, DropsEditsWhenTheShowIsRemoved) {
  ASSERT_TRUE(editor_.edit(kMove));
  editor_.set_desired(nullptr, 2);
  EXPECT_EQ(editor_.draft(), nullptr);
  EXPECT_FALSE(editor_.next_write());
}

TEST_F(ShowEditorTest, KeepsSomebodyElsesParameterNextToAnInsertedSlot) {
  ASSERT_TRUE(editor_.edit(insert_hue(*editor_.draft())));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_refused();
  set(with(blur(0.1)), 2);
  ASSERT_TRUE(editor_.next_write());
  EXPECT_EQ(editor_.draft()->find_submix("left")->slots.size(), 4U);
  EXPECT_EQ(blur_now(), 0.1);
  EXPECT_TRUE(editor_.take_conflicts().empty());
}

TEST_F(ShowEditorTest, SaysThatSomebodyElseChangedTheSamePatch) {
  ASSERT_TRUE(editor_.edit(insert_hue(*editor_.draft())));
  auto theirs = sample::show();
  theirs.find_submix("left")->slots.pop_back();
  theirs.streams.clear();
  set(std::move(theirs), 2);
  EXPECT_EQ(editor_.draft()->find_submix("left")->slots.size(), 2U);
  EXPECT_EQ(editor_.take_conflicts().size(), 1U);
}

TEST_F(ShowEditorTest, SaysThatAnEditDoesNotFitSomebodyElses) {
  auto base = sample::show();
  base.find_submix("mix")->slots.push_back(sample::slot("second", "stream-in"));
  set(base, 2);
  ASSERT_TRUE(editor_.edit(*add_stream(base, {{"left", "out"}, {"mix", "second"}, "mine"})));
  const Edit same_input = *add_stream(base, {{"left", "out"}, {"mix", "second"}, "theirs"});
  ASSERT_TRUE(model::apply(base, same_input));
  set(base, 3);
  const auto conflicts = editor_.take_conflicts();
  ASSERT_EQ(conflicts.size(), 1U);
  EXPECT_THAT(conflicts.front(), ::testing::HasSubstr("is wired twice"));
  EXPECT_FALSE(editor_.next_write());
}

TEST_F(ShowEditorTest, KeepsTheOrderOfEditsAroundANewSlot) {
  ASSERT_TRUE(editor_.edit(insert_hue(*editor_.draft())));
  ASSERT_TRUE(editor_.edit(SetParameter{{"left", "hue"}, "Hue", 0.3}));
  ASSERT_TRUE(editor_.edit(SetParameter{{"left", "hue"}, "Hue", 0.4}));
  set(with(kMove), 2);
  EXPECT_TRUE(editor_.take_conflicts().empty());
  EXPECT_EQ(editor_.draft()->find_slot({"left", "hue"})->parameters.at("Hue"),
            show::ParameterValue(0.4));
  for (int i = 0; i < 3; ++i)
    ASSERT_TRUE(editor_.undo());
  EXPECT_TRUE(*editor_.draft() == with(kMove));
}

TEST_F(ShowEditorTest, SaysWhatIsLostWithAShowThatCannotBeRead) {
  ASSERT_TRUE(editor_.edit(kMove));
  editor_.set_desired(nullptr, 2);
  EXPECT_EQ(editor_.take_conflicts().size(), 1U);
}

}  // namespace
}  // namespace submix::model
