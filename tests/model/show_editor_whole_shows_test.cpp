// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/show_editor_fixture.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace submix::model {
namespace {

Edit open(const std::string& name) {
  auto show = sample::show();
  show.name = name;
  return ReplaceShow{std::make_shared<const show::Show>(std::move(show)), "open " + name};
}

TEST_F(ShowEditorTest, ReplacesTheWholeShowAndUndoesIt) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(open("other")));
  EXPECT_EQ(editor_.draft()->name, "other");
  EXPECT_EQ(editor_.view().undo_title, "open other");
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(editor_.draft()->name, sample::show().name);
  EXPECT_EQ(node_of_left(), "rack2");
}

TEST_F(ShowEditorTest, WritesEditsBeforeAndAfterAReplacementInTheirOrder) {
  ASSERT_TRUE(editor_.edit(blur(0.9)));
  ASSERT_TRUE(editor_.edit(open("other")));
  ASSERT_TRUE(editor_.edit(blur(0.7)));
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->show.name, "other");
  EXPECT_EQ(std::get<double>(write->show.find_slot(sample::kGlow)->parameters.at("Blur")), 0.7);
}

TEST_F(ShowEditorTest, KeepsAReplacementAndWhatCameBeforeItWhenAWriteFails) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(open("other")));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_failed();
  EXPECT_EQ(editor_.take_conflicts(), std::vector<std::string>{});
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->show.name, "other");
}

TEST_F(ShowEditorTest, OpensAShowOnTopOfWhatSomebodyElseHasJustWritten) {
  ASSERT_TRUE(editor_.edit(open("other")));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_refused();
  set(with(kMove), 2);
  EXPECT_EQ(editor_.draft()->name, "other");
  EXPECT_TRUE(editor_.take_conflicts().empty());
  EXPECT_EQ(editor_.next_write()->expected_revision, 2U);
}

TEST_F(ShowEditorTest, BringsAWholeShowBackWhateverWasDoneToTheOneThatTookItsPlace) {
  ASSERT_TRUE(editor_.edit(open("other")));
  ASSERT_TRUE(editor_.edit_without_step(blur(0.1)));
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(editor_.draft()->name, sample::show().name);
  ASSERT_TRUE(editor_.redo());
  EXPECT_EQ(editor_.draft()->name, "other");
  EXPECT_EQ(blur_now(), 0.1);
}

TEST_F(ShowEditorTest, DoesNotEditAnOpenedShowByWhatWasDoneToTheFormerOne) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(open("other")));
  const auto write = editor_.next_write();
  editor_.write_failed();
  set(write->show, 2);
  EXPECT_EQ(node_of_left(), "rack1");
  EXPECT_FALSE(editor_.next_write());
  EXPECT_TRUE(editor_.take_conflicts().empty());
}

TEST(ShowEditorWithoutAShow, BeginsNoneThatIsOutOfOrder) {
  ShowEditor editor;
  auto show = std::make_shared<show::Show>(sample::show());
  show->submixes.push_back(show->submixes.front());
  EXPECT_FALSE(editor.edit(ReplaceShow{show, "new show"}));
  EXPECT_FALSE(editor.next_write());
}

TEST(ShowEditorWithoutAShow, BeginsOne) {
  ShowEditor editor;
  ASSERT_TRUE(editor.edit(open("first")));
  const auto write = editor.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->expected_revision, 0U);
  editor.write_accepted(1);
  EXPECT_EQ(editor.draft()->name, "first");
  EXPECT_FALSE(editor.undo());
}

TEST_F(ShowEditorTest, KeepsAShowThatStepsShareOnce) {
  auto later = sample::show();
  later.name = "later";
  const auto opened = std::make_shared<const show::Show>(later);
  auto last = later;
  last.name = "last";
  ASSERT_TRUE(editor_.edit(ReplaceShow{opened, "open later"}));
  ASSERT_TRUE(editor_.edit(ReplaceShow{std::make_shared<const show::Show>(last), "open last"}));
  const auto undone = editor_.undo();
  ASSERT_TRUE(undone);
  EXPECT_EQ(std::get<ReplaceShow>(*undone).show, opened) << "a copy";
}

}  // namespace
}  // namespace submix::model
