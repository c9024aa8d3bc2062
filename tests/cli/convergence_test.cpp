// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/convergence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::cli {
namespace {

using model::SubmixState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

model::ClusterView view(std::uint64_t show_revision, std::uint64_t node_revision,
                        SubmixState state) {
  model::ClusterView view;
  view.show_revision = show_revision;
  view.nodes.resize(1);
  view.nodes[0].name = "a";
  view.nodes[0].health = model::Health::healthy;
  view.nodes[0].show_revision = node_revision;
  view.submixes.resize(1);
  view.submixes[0].name = "left";
  view.submixes[0].node = "a";
  view.submixes[0].state = state;
  return view;
}

TEST(Convergence, IsOverOnceEverySubmixRuns) {
  Convergence convergence(7);
  EXPECT_THAT(convergence.update(view(6, 6, SubmixState::running)), IsEmpty());
  EXPECT_FALSE(convergence.is_over());
  EXPECT_THAT(convergence.update(view(7, 6, SubmixState::running)),
              ElementsAre("left: node \"a\" has not begun it yet"));
  EXPECT_THAT(convergence.update(view(7, 7, SubmixState::starting)),
              ElementsAre("left: starting on a"));
  EXPECT_THAT(convergence.update(view(7, 7, SubmixState::starting)), IsEmpty());
  EXPECT_FALSE(convergence.is_over());
  EXPECT_THAT(convergence.update(view(7, 7, SubmixState::running)),
              ElementsAre("left: running on a"));
  EXPECT_TRUE(convergence.is_over());
  EXPECT_FALSE(convergence.has_failed());
}

TEST(Convergence, TellsWhyASubmixFailed) {
  Convergence convergence(7);
  auto failed = view(7, 7, SubmixState::failed);
  failed.submixes[0].error = "no such clip";
  EXPECT_THAT(convergence.update(failed), ElementsAre("left: failed on a: no such clip"));
  EXPECT_TRUE(convergence.is_over());
  EXPECT_TRUE(convergence.has_failed());
}

TEST(Convergence, WaitsForANodeThatIsNotHere) {
  Convergence convergence(7);
  auto gone = view(7, 7, SubmixState::running);
  gone.nodes[0].health = model::Health::gone;
  EXPECT_THAT(convergence.update(gone), ElementsAre(HasSubstr("submix-node --name a")));
  EXPECT_THAT(convergence.unfinished(), ElementsAre(HasSubstr("waits for node \"a\"")));
  gone.nodes.clear();
  EXPECT_THAT(convergence.update(gone), IsEmpty());  // nothing new
  EXPECT_FALSE(convergence.is_over());
}

TEST(Convergence, TellsANodeThatHasGoneSilentFromOneThatNeverCame) {
  Convergence convergence(7);
  auto now = view(7, 6, SubmixState::running);
  static_cast<void>(convergence.update(now));
  EXPECT_FALSE(convergence.has_silent_node());
  now.nodes[0].health = model::Health::silent;
  EXPECT_THAT(convergence.update(now),
              ElementsAre(HasSubstr("which has gone silent: it may be busy")));
  EXPECT_TRUE(convergence.has_silent_node());
  EXPECT_FALSE(convergence.is_over());
  now.nodes[0].health = model::Health::healthy;
  EXPECT_THAT(convergence.update(now), ElementsAre("left: node \"a\" has not begun it yet"));
  EXPECT_FALSE(convergence.has_silent_node());
}

TEST(Convergence, DoesNotWaitForWhatIsAssignedToNobody) {
  Convergence convergence(7);
  auto unassigned = view(7, 7, SubmixState::unassigned);
  unassigned.submixes[0].node.clear();
  EXPECT_THAT(convergence.update(unassigned), ElementsAre(HasSubstr("submix assign")));
  EXPECT_TRUE(convergence.is_over());
}

}  // namespace
}  // namespace submix::cli
