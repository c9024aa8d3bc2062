// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/progress.hpp"

#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/panel.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

using namespace std::chrono_literals;

/// A cluster that runs the sample show, in revision 7.
class ProgressTest : public ::testing::Test {
 protected:
  ProgressTest() {
    view_.now = LocalTime(1h);
    view_.connection = model::ConnectionState::connected;
    view_.show_revision = 7;
    view_.edit.undo_title = view_.edit.writing_title = "run left on rack2";
    view_.edit.undo_step = view_.edit.writing_step = 3;
    view_.edit.is_own = true;
    add("rack1", "left");
    add("rack2", "mix");
  }
  void add(const std::string& name, const std::string& submix_name) {
    model::NodeView node;
    node.name = name;
    node.health = model::Health::healthy;
    node.show_revision = 7;
    view_.nodes.push_back(node);
    model::SubmixView submix;
    submix.name = submix_name;
    submix.node = name;
    submix.state = model::SubmixState::running;
    view_.submixes.push_back(submix);
  }
  std::vector<LongAction> look() {
    auto actions = actions_under_way(view_, state_);
    follow(actions, view_, *state_.progress);
    return actions;
  }

  model::ClusterView view_;
  PanelState state_;
};

TEST_F(ProgressTest, HasNothingToSayOfAShowThatRuns) {
  EXPECT_TRUE(look().empty());
}

TEST_F(ProgressTest, FollowsAnEditUntilItsNodesRunIt) {
  view_.submixes[0].state = model::SubmixState::starting;
  auto actions = look();
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].what, "run left on rack2");
  EXPECT_EQ(actions[0].how_far, "1 of 2 submixes run the new show");
  EXPECT_EQ(actions[0].cancel, LongAction::Cancel::undo);
  view_.submixes[0].state = model::SubmixState::running;
  EXPECT_TRUE(look().empty());
  view_.submixes[0].state = model::SubmixState::starting;
  EXPECT_TRUE(look().empty()) << "a restart is no part of the edit";
}

TEST_F(ProgressTest, WaitsForANodeThatHasAnOlderShow) {
  view_.nodes[1].show_revision = 6;
  EXPECT_EQ(look().size(), 1U);
}

TEST_F(ProgressTest, WaitsForNoNodeThatIsNotThere) {
  view_.nodes[1].show_revision = 6;
  view_.nodes[1].health = model::Health::gone;
  EXPECT_TRUE(look().empty());
}

TEST_F(ProgressTest, DoesNotTakeSomebodyElsesEditBack) {
  view_.edit.is_own = false;
  view_.nodes[1].show_revision = 6;
  EXPECT_TRUE(look().empty());
}

TEST_F(ProgressTest, TakesNoOlderStepBackForAnUndoThatIsUnderWay) {
  view_.edit.is_writing = true;
  view_.edit.writing_step = 4;
  view_.edit.writing_title = "undo of delete mix";
  const auto actions = look();
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].what, "undo of delete mix");
  EXPECT_EQ(actions[0].cancel, LongAction::Cancel::impossible);
}

TEST_F(ProgressTest, SaysNothingOfFaders) {
  view_.edit.is_writing = true;
  view_.edit.writing_step = 0;
  view_.edit.writing_title.clear();
  EXPECT_TRUE(look().empty());
}

TEST_F(ProgressTest, CountsTheNodesThatTheWindowStarts) {
  state_.local_nodes->are_started = true;
  state_.local_nodes->names = {"rack1", "rack2", "rack3"};
  const auto actions = look();
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].how_far, "2 of 3 are there");
  EXPECT_EQ(actions[0].cancel, LongAction::Cancel::nodes);
}

TEST_F(ProgressTest, DoesNotOfferToEndNodesThatHaveBeenStarted) {
  state_.local_nodes->are_started = true;
  state_.local_nodes->is_start_over = true;
  state_.local_nodes->names = {"rack1", "rack2", "rack3"};
  EXPECT_TRUE(look().empty());
}

TEST_F(ProgressTest, LetsAnExportBeGivenUp) {
  view_.ledger_file = {"/exports/ledger.csv", true, {}};
  const auto actions = look();
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].what, "Saving ledger.csv");
  EXPECT_EQ(actions[0].cancel, LongAction::Cancel::exports);
}

TEST_F(ProgressTest, TellsThatANodeIsAskedForItsPluginsUntilItHasTold) {
  state_.editing->browser.asked_node = "rack1";
  const auto actions = look();
  ASSERT_EQ(actions.size(), 1U);
  EXPECT_EQ(actions[0].what, "Asking rack1 for its plugins");
  EXPECT_EQ(actions[0].cancel, LongAction::Cancel::plugins);
  state_.editing->browser.asked_node = "rack7";
  EXPECT_TRUE(look().empty()) << "it is not here";
}

TEST_F(ProgressTest, KnowsSinceWhenEachGoesOn) {
  view_.file.opening = "/shows/huge.toml";
  const auto begin = view_.now;
  auto actions = look();
  view_.now += 5s;
  view_.file.is_saving = true;
  actions = look();
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_EQ(actions[0].what, "Opening huge.toml");
  EXPECT_EQ(begin_of(actions[0], *state_.progress), begin);
  EXPECT_EQ(begin_of(actions[1], *state_.progress), begin + 5s);
  view_.file.opening.clear();
  EXPECT_EQ(look().size(), 1U);
  EXPECT_EQ(state_.progress->begun.size(), 1U);
}

}  // namespace
}  // namespace submix::ui
