// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/show_editor.hpp"

#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

const show::Port kGlow{"left", "glow"};
const Edit kMove = AssignSubmix{"left", "rack2"};
Edit blur(double value) {
  return SetParameter{kGlow, "Blur", value};
}

class ShowEditorTest : public ::testing::Test {
 protected:
  ShowEditorTest() { set(sample::show(), 1); }

  void set(show::Show show, std::uint64_t revision) {
    editor_.set_desired(std::make_shared<const show::Show>(std::move(show)), revision);
  }
  /// The sample show, changed by somebody else.
  static show::Show with(const Edit& edit) {
    auto show = sample::show();
    EXPECT_TRUE(apply(show, edit));
    return show;
  }
  [[nodiscard]] std::string node_of_left() const { return editor_.draft()->find_submix("left")->node; }
  [[nodiscard]] double blur_now() const {
    return std::get<double>(editor_.draft()->find_slot(kGlow)->parameters.at("Blur"));
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

TEST_F(ShowEditorTest, KeepsTwoDragsApart) {
  ASSERT_TRUE(editor_.edit(blur(0.6), 7));
  ASSERT_TRUE(editor_.edit(blur(0.7), 8));
  ASSERT_TRUE(editor_.undo());
  EXPECT_EQ(blur_now(), 0.6);
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
  EXPECT_EQ(std::get<double>(write->show.find_slot(kGlow)->parameters.at("Blur")), 0.8);
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
  set(with(kMove), 2);  // it had been written after all
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

}  // namespace
}  // namespace submix::model
