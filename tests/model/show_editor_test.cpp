// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/show_editor.hpp"

#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

const Edit kMove = AssignSubmix{"left", "rack2"};
Edit blur(double value) {
  return SetParameter{sample::kGlow, "Blur", value};
}

class ShowEditorTest : public ::testing::Test {
 protected:
  ShowEditorTest() { set(sample::show(), 1); }

  void set(show::Show show, std::uint64_t revision) {
    editor_.set_desired(std::make_shared<const show::Show>(std::move(show)), revision);
  }
  /// The sample show, changed by another person.
  static show::Show with(const Edit& edit) {
    auto show = sample::show();
    EXPECT_TRUE(apply(show, edit));
    return show;
  }
  [[nodiscard]] std::string node_of_left() const {
    return editor_.draft()->find_submix("left")->node;
  }
  [[nodiscard]] double blur_now() const {
    return std::get<double>(editor_.draft()->find_slot(sample::kGlow)->parameters.at("Blur"));
  }

  ShowEditor editor_;
};

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

Edit insert_hue(const show::Show& show) {
  PluginMap plugins;
  plugins["frei0r/hue"].kind = "filter";
  return insert_slot(show, plugins, {"left", "clip"}, {"frei0r/hue"}).value();
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

// Unanswered writes that arrived all the same.

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

TEST_F(ShowEditorTest, SaysWhatIsLostWithAShowThatCannotBeRead) {
  ASSERT_TRUE(editor_.edit(kMove));
  editor_.set_desired(nullptr, 2);
  EXPECT_EQ(editor_.take_conflicts().size(), 1U);
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

TEST_F(ShowEditorTest, UndoesAsManyStepsAsWereMade) {
  constexpr int kSteps = 20'000;
  for (int i = 1; i <= kSteps; ++i)
    ASSERT_TRUE(editor_.edit(blur(static_cast<double>(i) / kSteps)));
  for (int i = 0; i < kSteps; ++i)
    ASSERT_TRUE(editor_.undo()) << i;
  EXPECT_EQ(blur_now(), 0.5);
  EXPECT_TRUE(editor_.view().undo_title.empty());
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
