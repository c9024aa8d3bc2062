// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/follow_on.hpp"

#include "common/show/validate.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/show_editor.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/two_cues.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kNow = 1'000'000s;

show::Show cues_that_follow() {
  auto show = two_cues();
  show.cues[0].follow = show::FollowOn{8, show::FollowUnit::beats};
  return show;
}
RunningState at(std::chrono::nanoseconds time) {
  return {.time = time, .plugins = {}};
}

TEST(DueAfter, CountsBeatsAtTheTempoOfTheMoment) {
  show::Tempo tempo;
  tempo.beats_per_minute = 120;
  EXPECT_EQ(due_after({8, show::FollowUnit::beats}, tempo, kNow), kNow + 4s);
  EXPECT_EQ(due_after({8, show::FollowUnit::seconds}, tempo, kNow), kNow + 8s);
  tempo.master_speed = 2;
  EXPECT_EQ(due_after({8, show::FollowUnit::beats}, tempo, kNow), kNow + 2s);
}

TEST(DueAfter, NeverComesAtOnceNorNever) {
  show::Tempo tempo;
  tempo.beats_per_minute = 999;
  tempo.master_speed = 16;
  EXPECT_EQ(due_after({0.5, show::FollowUnit::beats}, tempo, kNow), kNow + 500ms);
  tempo.beats_per_minute = 120;
  tempo.master_speed = 0;
  EXPECT_EQ(due_after({4, show::FollowUnit::beats}, tempo, kNow), kNow + 2s);
}

TEST(Go, LetsTheNextCueFollow) {
  const auto show = cues_that_follow();
  const auto step = go(show, at(kNow)).value();
  EXPECT_TRUE(step.is_followed);
  const auto gone = after(show, step.edit);
  EXPECT_EQ(gone.following, kNow + 4s);
  EXPECT_EQ(gone.next_cue, "fall");
  EXPECT_TRUE(show::validate(gone).empty());
  EXPECT_EQ(after(gone, go(gone, at(kNow + 1s)).value().edit).following, std::nullopt)
      << "a cue by hand ends the follow-on";
  EXPECT_EQ(after(gone, go(gone, at(kNow + 1s), "rise").value().edit).following, kNow + 5s)
      << "a cue with a follow-on begins it anew";
  EXPECT_FALSE(is_structural(step.edit));
}

TEST(Go, SaysThatNothingFollowsWhileTheTimeIsUnknown) {
  const auto show = cues_that_follow();
  const auto step = go(show, {}).value();
  EXPECT_FALSE(step.is_followed);
  EXPECT_EQ(after(show, step.edit).following, std::nullopt);
  EXPECT_THAT(step.left_out, ElementsAre(HasSubstr("the show's time is not known yet")));
}

TEST(ShowEditor, BringsNoFollowOnBackByUndoOrRedo) {
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(cues_that_follow()), 1);
  ASSERT_TRUE(editor.edit(go(*editor.draft(), at(kNow)).value().edit));
  ASSERT_TRUE(editor.draft()->following);
  ASSERT_TRUE(editor.edit(go(*editor.draft(), at(kNow + 1s)).value().edit));
  ASSERT_TRUE(editor.undo());
  EXPECT_EQ(editor.draft()->next_cue, "fall");
  EXPECT_EQ(editor.draft()->following, std::nullopt) << "its time may be over";
  ASSERT_TRUE(editor.undo());
  EXPECT_EQ(editor.draft()->following, std::nullopt);
  ASSERT_TRUE(editor.redo());
  EXPECT_EQ(editor.draft()->next_cue, "fall");
  EXPECT_EQ(editor.draft()->following, std::nullopt);
}

TEST(ShowEditor, TakesBackACueWhoseFollowOnWasStopped) {
  ShowEditor editor;
  editor.set_desired(std::make_shared<const show::Show>(cues_that_follow()), 1);
  ASSERT_TRUE(editor.edit(go(*editor.draft(), at(kNow)).value().edit));
  ASSERT_TRUE(editor.edit_without_step(SetFollowing{}));
  EXPECT_TRUE(editor.undo());
  EXPECT_EQ(*editor.draft(), cues_that_follow());
}

// Two windows see the same follow-on, and both act.
TEST(ShowEditor, CarriesAFollowOnOutOnceThoughTwoWindowsAct) {
  auto show = cues_that_follow();
  show = after(show, go(show, at(kNow)).value().edit);
  ShowEditor one;
  ShowEditor other;
  for (auto* editor : {&one, &other}) {
    editor->set_desired(std::make_shared<const show::Show>(show), 5);
    ASSERT_TRUE(editor->edit_without_step(go(*editor->draft(), at(*show.following)).value().edit));
  }
  const auto first = one.next_write();
  ASSERT_TRUE(first && other.next_write());
  one.write_accepted(6);
  other.write_refused();
  other.set_desired(std::make_shared<const show::Show>(first->show), 6);
  EXPECT_FALSE(other.next_write());
  EXPECT_EQ(*other.draft(), first->show);
  EXPECT_TRUE(other.take_conflicts().empty());
}

TEST(ShowEditor, LetsAHandBeFasterThanAFollowOn) {
  auto show = cues_that_follow();
  show = after(show, go(show, at(kNow)).value().edit);
  ShowEditor machine;
  machine.set_desired(std::make_shared<const show::Show>(show), 5);
  ASSERT_TRUE(machine.edit_without_step(go(show, at(*show.following)).value().edit));
  ASSERT_TRUE(machine.next_write());
  const auto stopped = after(show, SetFollowing{});
  machine.write_refused();
  machine.set_desired(std::make_shared<const show::Show>(stopped), 6);
  EXPECT_EQ(*machine.draft(), stopped);
}

}  // namespace
}  // namespace submix::model
