// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/show_editor_fixture.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace submix::model {
namespace {

TEST_F(ShowEditorTest, WritesADragsNewestValueOnlyOnceTheLastWriteIsAnswered) {
  ASSERT_TRUE(editor_.edit(blur(0.6), 7));
  ASSERT_TRUE(editor_.next_write());
  ASSERT_TRUE(editor_.edit(blur(0.7), 7));
  ASSERT_TRUE(editor_.edit(blur(0.8), 7));
  EXPECT_FALSE(editor_.next_write());
  editor_.write_accepted(2);
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->expected_revision, 2U);
  EXPECT_EQ(std::get<double>(write->show.find_slot(sample::kGlow)->parameters.at("Blur")), 0.8);
}

TEST_F(ShowEditorTest, TriesAgainAfterAWriteThatNobodyAnswered) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_failed();
  EXPECT_TRUE(editor_.next_write());
  editor_.write_failed();
  set(with(kMove), 2);  // the write had succeeded after all
  EXPECT_FALSE(editor_.next_write());
  EXPECT_TRUE(editor_.take_conflicts().empty());
}

TEST_F(ShowEditorTest, KeepsASlidersLastValueWhenAnUnansweredWriteHadArrived) {
  ASSERT_TRUE(editor_.edit(blur(0.6), 1));
  ASSERT_TRUE(editor_.next_write());
  ASSERT_TRUE(editor_.edit(blur(0.7), 1));
  editor_.write_failed();
  set(with(blur(0.6)), 2);
  EXPECT_EQ(blur_now(), 0.7);
  EXPECT_TRUE(editor_.take_conflicts().empty());
}

TEST_F(ShowEditorTest, UndoesWhatAnUnansweredWriteHasBrought) {
  ASSERT_TRUE(editor_.edit(blur(0.6)));
  ASSERT_TRUE(editor_.next_write());
  ASSERT_TRUE(editor_.undo());
  editor_.write_failed();
  set(with(blur(0.6)), 2);
  EXPECT_EQ(blur_now(), 0.5);
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(std::get<double>(write->show.find_slot(sample::kGlow)->parameters.at("Blur")), 0.5);
}

TEST_F(ShowEditorTest, WritesAgainWhatAnUnansweredWriteHadLost) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_failed();
  EXPECT_TRUE(editor_.view().is_writing);
  ASSERT_TRUE(editor_.edit(blur(0.7)));
  const auto again = editor_.next_write();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->show.find_submix("left")->node, "rack2");
  editor_.write_accepted(2);
  EXPECT_FALSE(editor_.view().is_writing);
  EXPECT_EQ(blur_now(), 0.7);
}

TEST_F(ShowEditorTest, SaysWhichStepIsOnItsWay) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(blur(0.2)));
  auto view = editor_.view();
  EXPECT_EQ(view.writing_title, view.undo_title);
  EXPECT_EQ(view.writing_step, view.undo_step);
  ASSERT_TRUE(editor_.next_write());
  editor_.write_accepted(2);
  EXPECT_EQ(editor_.view().writing_step, view.writing_step) << "the cluster takes it up";
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(editor_.view().writing_title, "undo of " + view.undo_title);
  EXPECT_NE(editor_.view().writing_step, editor_.view().undo_step);
  ASSERT_TRUE(editor_.next_write());
  editor_.write_accepted(3);
  EXPECT_NE(editor_.view().writing_step, editor_.view().undo_step);
  ASSERT_TRUE(editor_.redo());
  EXPECT_EQ(editor_.view().writing_step, editor_.view().undo_step);
}

TEST_F(ShowEditorTest, SaysNoStepOfWhatAFaderDoes) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.next_write());
  ASSERT_TRUE(editor_.edit_without_step(blur(0.2)));
  EXPECT_EQ(editor_.view().writing_step, editor_.view().undo_step) << "the move has not arrived";
  editor_.write_accepted(2);
  EXPECT_EQ(editor_.view().writing_step, 0U);
  ASSERT_TRUE(editor_.next_write());
  editor_.write_accepted(3);
  EXPECT_EQ(editor_.view().writing_step, 0U);
  EXPECT_NE(editor_.view().undo_step, 0U);
}

TEST_F(ShowEditorTest, SaysTheNewestStepThoughOneOnAnotherThingStandsBehindIt) {
  ASSERT_TRUE(editor_.edit(blur(0.2)));
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(blur(0.3)));
  EXPECT_EQ(editor_.view().writing_step, editor_.view().undo_step);
}

TEST_F(ShowEditorTest, TakesBackAnEditThatANodeCannotRun) {
  const auto before = *editor_.draft();
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_declined("node \"b\" has no such file");
  EXPECT_EQ(*editor_.draft(), before);
  EXPECT_FALSE(editor_.next_write());
  EXPECT_EQ(editor_.view().undo_title, "") << "there is nothing to undo";
  const auto said = editor_.take_conflicts();
  ASSERT_EQ(said.size(), 1U);
  EXPECT_NE(said[0].find("no such file"), std::string::npos);
}

TEST_F(ShowEditorTest, LeavesTheStepOfAnUndoThatANodeDeclinesWhereItWas) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_accepted(2);
  const auto moved = *editor_.draft();
  ASSERT_TRUE(editor_.undo());
  ASSERT_TRUE(editor_.next_write());
  editor_.write_declined("node \"rack1\" has no such file");
  EXPECT_EQ(*editor_.draft(), moved);
  EXPECT_EQ(editor_.view().undo_title, title(kMove));
  EXPECT_EQ(editor_.view().redo_title, "");
  EXPECT_EQ(editor_.take_conflicts().size(), 1U);
  EXPECT_TRUE(editor_.undo()) << "the file may be there by now";
}

TEST_F(ShowEditorTest, LeavesTheStepOfARedoThatANodeDeclinesWhereItWas) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.undo());
  ASSERT_TRUE(editor_.redo());
  ASSERT_TRUE(editor_.next_write());
  editor_.write_declined("node \"rack2\" has no such file");
  EXPECT_EQ(*editor_.draft(), sample::show());
  EXPECT_EQ(editor_.view().undo_title, "");
  EXPECT_EQ(editor_.view().redo_title, title(kMove));
  EXPECT_TRUE(editor_.redo());
}

TEST_F(ShowEditorTest, LeavesAllStepsOnOneThingWhoseUndoANodeDeclines) {
  const Edit back = AssignSubmix{"left", "rack3"};
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(back));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_accepted(2);
  ASSERT_TRUE(editor_.undo());
  ASSERT_TRUE(editor_.undo());
  ASSERT_TRUE(editor_.next_write());
  editor_.write_declined("node \"rack1\" hangs");
  EXPECT_EQ(node_of_left(), "rack3");
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(node_of_left(), "rack2");
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(node_of_left(), "rack1");
}

TEST_F(ShowEditorTest, WritesTheOtherEditsOfAWriteThatANodeDeclines) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.edit(blur(0.2)));
  ASSERT_TRUE(editor_.next_write());
  editor_.write_declined("no such file");
  const auto first = editor_.next_write();
  ASSERT_TRUE(first);
  editor_.write_declined("no such file");
  EXPECT_EQ(editor_.take_conflicts().size(), 1U);
  const auto second = editor_.next_write();
  ASSERT_TRUE(second);
  EXPECT_NE(first->show, second->show);
  editor_.write_accepted(2);
  EXPECT_EQ(blur_now(), 0.2);
  EXPECT_FALSE(editor_.next_write());
}

}  // namespace
}  // namespace submix::model
