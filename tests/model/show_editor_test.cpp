// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_editor.hpp"

#include "controller/model/edit/show_changes.hpp"
#include "tests/model/show_editor_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

TEST_F(ShowEditorTest, ShowsAnEditAtOnceAndWritesItUnderTheFence) {
  ASSERT_TRUE(editor_.edit(kMove));
  EXPECT_EQ(node_of_left(), "rack2");
  const auto write = editor_.next_write();
  ASSERT_TRUE(write);
  EXPECT_EQ(write->expected_revision, 1U);
  EXPECT_EQ(write->show.find_submix("left")->node, "rack2");
  EXPECT_TRUE(editor_.view().is_writing);
  editor_.write_accepted(2);
  EXPECT_FALSE(editor_.view().is_writing);
  EXPECT_EQ(node_of_left(), "rack2");
}

TEST_F(ShowEditorTest, BeginsAndEndsNoFilmByUndo) {
  auto show = sample::show();
  show.find_submix("mix")->slots.push_back(sample::slot("film", "record"));
  set(std::move(show), 2);
  const auto record = [](bool is_on) {
    return EditGroup{"record", {SetParameter{{"mix", "film"}, "recording", is_on}}};
  };
  const auto is_on = [this] {
    return editor_.draft()->find_slot({"mix", "film"})->parameters.at("recording");
  };
  ASSERT_TRUE(editor_.edit(blur(0.7)));
  ASSERT_TRUE(editor_.edit(record(true)));
  ASSERT_TRUE(editor_.edit(record(false)));

  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(blur_now(), 0.5);
  EXPECT_EQ(is_on(), show::ParameterValue(false));

  ASSERT_TRUE(editor_.edit(record(true)));
  ASSERT_TRUE(editor_.redo());
  EXPECT_EQ(blur_now(), 0.7);
  EXPECT_EQ(is_on(), show::ParameterValue(true));
}

TEST_F(ShowEditorTest, UndoesAPolicyWhoseBudgetWasNotSaid) {
  const auto stream = editor_.draft()->streams.front();
  const auto other =
      stream.policy == show::InputPolicy::hold ? show::InputPolicy::black : show::InputPolicy::hold;
  ASSERT_TRUE(editor_.edit(SetPolicy{stream.name, other}));
  EXPECT_EQ(editor_.draft()->streams.front().policy, other);
  EXPECT_EQ(editor_.draft()->streams.front().pause_budget, stream.pause_budget);
  const auto undone = editor_.undo();
  ASSERT_TRUE(undone) << undone.error().message;
  EXPECT_EQ(editor_.draft()->streams.front(), stream);
  const auto done_again = editor_.redo();
  ASSERT_TRUE(done_again) << done_again.error().message;
  EXPECT_EQ(editor_.draft()->streams.front().policy, other);
}

TEST_F(ShowEditorTest, RefusesToEditWithoutAShow) {
  ShowEditor empty;
  EXPECT_FALSE(empty.edit(kMove));
  EXPECT_FALSE(empty.next_write());
}

TEST_F(ShowEditorTest, RefusesToEditWhatIsNotThere) {
  EXPECT_FALSE(editor_.edit(AssignSubmix{"nobody", "rack1"}));
  EXPECT_TRUE(editor_.view().undo_title.empty());
}

TEST_F(ShowEditorTest, MakesOneStepOfADrag) {
  for (int i = 0; i <= 10; ++i)
    ASSERT_TRUE(editor_.edit(blur(0.6 + i * 0.01), 7));
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(blur_now(), 0.5);
  EXPECT_TRUE(editor_.view().undo_title.empty());
  ASSERT_TRUE(editor_.redo());
  EXPECT_DOUBLE_EQ(blur_now(), 0.7);
}

TEST_F(ShowEditorTest, SaysWhetherUndoAndRedoWouldChangeTheStructure) {
  ASSERT_TRUE(editor_.edit(kMove));
  EXPECT_TRUE(editor_.view().is_undo_structural);
  ASSERT_TRUE(editor_.edit(blur(0.6)));
  EXPECT_FALSE(editor_.view().is_undo_structural);
  ASSERT_TRUE(editor_.undo());
  EXPECT_TRUE(editor_.view().is_undo_structural);
  EXPECT_FALSE(editor_.view().is_redo_structural);
  ASSERT_TRUE(editor_.undo());
  EXPECT_FALSE(editor_.view().is_undo_structural);
  EXPECT_TRUE(editor_.view().is_redo_structural);
}

TEST_F(ShowEditorTest, KeepsTwoDragsApart) {
  ASSERT_TRUE(editor_.edit(blur(0.6), 7));
  ASSERT_TRUE(editor_.edit(blur(0.7), 8));
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(blur_now(), 0.6);
}

TEST_F(ShowEditorTest, WritesAFadersEditWithoutMakingAStepOfIt) {
  ASSERT_TRUE(editor_.edit_without_step(blur(0.9)));
  EXPECT_EQ(blur_now(), 0.9);
  EXPECT_TRUE(editor_.next_write());
  EXPECT_TRUE(editor_.view().undo_title.empty());
  EXPECT_FALSE(editor_.edit_without_step(AssignSubmix{"nobody", "rack1"}));
}

TEST_F(ShowEditorTest, KeepsRedoWhenAFaderMovesSomethingElse) {
  ASSERT_TRUE(editor_.edit(kMove));
  ASSERT_TRUE(editor_.undo());
  ASSERT_TRUE(editor_.edit_without_step(blur(0.9)));
  ASSERT_TRUE(editor_.redo());
  EXPECT_EQ(node_of_left(), "rack2");
  EXPECT_EQ(blur_now(), 0.9);
}

TEST_F(ShowEditorTest, RefusesToUndoWhatAFaderHasMovedSince) {
  ASSERT_TRUE(editor_.edit(blur(0.6)));
  ASSERT_TRUE(editor_.edit_without_step(blur(0.9)));
  EXPECT_FALSE(editor_.undo());
  EXPECT_EQ(blur_now(), 0.9);
}

TEST_F(ShowEditorTest, ForgetsRedoAfterANewEdit) {
  ASSERT_TRUE(editor_.edit(blur(0.6)));
  ASSERT_TRUE(editor_.undo());
  ASSERT_TRUE(editor_.edit(kMove));
  EXPECT_FALSE(editor_.redo());
}

TEST_F(ShowEditorTest, RefusesWhatWouldPutTheShowOutOfOrder) {
  const auto second = add_stream(*editor_.draft(), {{"left", "out"}, {"mix", "left"}});
  ASSERT_TRUE(second);
  const auto edited = editor_.edit(*second);
  ASSERT_FALSE(edited);
  EXPECT_THAT(edited.error().message, ::testing::HasSubstr("is wired twice"));
  EXPECT_EQ(editor_.draft()->streams.size(), 1U);
  EXPECT_TRUE(editor_.view().undo_title.empty());
}

TEST_F(ShowEditorTest, DoesAndUndoesAGroupAsOne) {
  ASSERT_TRUE(editor_.edit(*delete_submix(*editor_.draft(), "left")));
  EXPECT_TRUE(editor_.draft()->streams.empty());
  EXPECT_EQ(editor_.view().undo_title, "delete submix left and 1 stream");
  ASSERT_TRUE(editor_.undo());
  EXPECT_TRUE(*editor_.draft() == sample::show());
  EXPECT_FALSE(editor_.next_write()) << "nothing is left to write";
}

TEST_F(ShowEditorTest, DoesNothingOfAGroupOfWhichAPartFails) {
  const Edit group = EditGroup{"two", {kMove, SetBypass{{"left", "nothing"}, true}}};
  EXPECT_FALSE(editor_.edit(group));
  EXPECT_EQ(node_of_left(), "rack1");
}

TEST_F(ShowEditorTest, UndoesAsManyStepsAsWereMade) {
  constexpr int kSteps = 20'000;
  for (int i = 1; i <= kSteps; ++i)
    ASSERT_TRUE(editor_.edit(blur(static_cast<double>(i) / kSteps)));
  for (int i = 0; i < kSteps; ++i)
    ASSERT_TRUE(editor_.undo()) << i;
  EXPECT_EQ(blur_now(), 0.5);
  EXPECT_TRUE(editor_.view().undo_title.empty());
}

}  // namespace
}  // namespace submix::model
