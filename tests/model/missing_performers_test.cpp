// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/missing_performers.hpp"

#include "controller/model/verdict/bottleneck.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(GoOnWithout, HoldsTheStreamsOfOneSubmixAndComesBack) {
  const auto show = sample::show();
  const auto without = continue_without(show, "left");
  ASSERT_TRUE(without);
  EXPECT_EQ(title(*without), "go on without left");
  const auto held = after(show, *without);
  EXPECT_EQ(held.streams[0].policy, show::InputPolicy::hold);
  const auto again = wait_again_for(held, "left");
  ASSERT_TRUE(again);
  EXPECT_EQ(after(held, *again), show);
}

TEST(GoOnWithout, SaysWhereNobodyWaits) {
  const auto show = sample::show();
  EXPECT_THAT(why(continue_without(show, "lfet")), HasSubstr("did you mean \"left\""));
  EXPECT_THAT(why(continue_without(show, "mix")), HasSubstr("nobody waits for \"mix\""));
  EXPECT_THAT(why(wait_again_for(show, "left")), HasSubstr("no stream that others go on without"));
}

ClusterView view_of(show::Show show, Health of_left) {
  ClusterView view;
  view.show = std::make_shared<const show::Show>(std::move(show));
  view.nodes.resize(2);
  view.nodes[0].name = "rack1";
  view.nodes[0].health = of_left;
  view.nodes[1].name = "rack2";
  view.nodes[1].health = Health::healthy;
  return view;
}

TEST(MissingPerformers, AreThoseThatOthersWaitForThoughTheirNodeIsAway) {
  const auto show = sample::show();
  EXPECT_THAT(missing_performers(view_of(show, Health::healthy)), IsEmpty());
  for (const auto health : {Health::absent, Health::silent, Health::gone})
    EXPECT_THAT(missing_performers(view_of(show, health)), ElementsAre("left"));
  EXPECT_THAT(missing_performers(view_of(show, Health::unknown)), IsEmpty());
  EXPECT_THAT(missing_performers(view_of(show, Health::unheard)), IsEmpty()) << "its frames come";
  EXPECT_THAT(
      missing_performers(view_of(after(show, *continue_without(show, "left")), Health::gone)),
      IsEmpty());
}

ClusterView held_up_by(const Bottleneck& verdict, show::Show show = sample::show()) {
  auto view = view_of(std::move(show), Health::healthy);
  view.bottleneck = std::make_shared<const Bottleneck>(verdict);
  return view;
}

TEST(PerformersThatHoldUp, AreTheSlowAndTheHangingThatOthersWaitFor) {
  Bottleneck hanging;
  hanging.kind = Bottleneck::Kind::standstill;
  hanging.submix = "left";
  EXPECT_THAT(blocking_performers(held_up_by(hanging)), ElementsAre("left"));
  Bottleneck slow;
  slow.kind = Bottleneck::Kind::link;
  slow.stream = "left";
  EXPECT_THAT(blocking_performers(held_up_by(slow)), ElementsAre("left"));
}

TEST(PerformersThatHoldUp, AreNoneWhereNobodyWaitsOrNothingHoldsUp) {
  Bottleneck verdict;
  verdict.kind = Bottleneck::Kind::slot;
  verdict.submix = "mix";
  EXPECT_THAT(blocking_performers(held_up_by(verdict)), IsEmpty()) << "nobody waits for the mix";
  verdict.submix = "left";
  const auto without = after(sample::show(), *continue_without(sample::show(), "left"));
  EXPECT_THAT(blocking_performers(held_up_by(verdict, without)), IsEmpty());
  verdict.kind = Bottleneck::Kind::nothing;
  EXPECT_THAT(blocking_performers(held_up_by(verdict)), IsEmpty());
}

TEST(PerformersThatHoldUp, AreNamedOnceWhereTheirNodeIsAwayToo) {
  auto view = view_of(sample::show(), Health::silent);
  Bottleneck verdict;
  verdict.kind = Bottleneck::Kind::standstill;
  verdict.submix = "left";
  view.bottleneck = std::make_shared<const Bottleneck>(verdict);
  EXPECT_THAT(blocking_performers(view), ElementsAre("left"));
}

}  // namespace
}  // namespace submix::model
