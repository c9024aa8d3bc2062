// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/bottleneck.hpp"

#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Kind = Bottleneck::Kind;

using namespace sample;

TEST_F(SlowShow, IsNotHeldBackAtItsRate) {
  mix().fps = 29;  // a second's count is off by one
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::nothing);
  EXPECT_FALSE(found.is_slow());
  EXPECT_EQ(found.sentence, "nothing holds the show back: mix shows 29.0 of 30 fps");
  EXPECT_THAT(found.path, IsEmpty());
}

TEST_F(SlowShow, GivesTheFiguresOfEachStepOfTheWay) {
  let_slot_be_slow();
  const auto found = find_bottleneck(view_);
  ASSERT_EQ(found.steps.size(), found.path.size());
  for (std::size_t i = 0; i < found.path.size(); ++i)
    EXPECT_EQ(found.steps[i].name, found.path[i]);
  EXPECT_EQ(found.steps.back().node, "right");
  EXPECT_DOUBLE_EQ(found.steps.back().working, kBusy.working);
}

TEST_F(SlowShow, SaysThatItIsPaused) {
  view_.transport = {.is_paused = true, .author = "eva"};
  EXPECT_EQ(find_bottleneck(view_).kind, Kind::paused);
  EXPECT_EQ(find_bottleneck(view_).sentence, "the show is paused by eva");
}

TEST_F(SlowShow, SaysThatNothingIsKnown) {
  view_.connection = ConnectionState::lost;
  EXPECT_EQ(find_bottleneck(view_).kind, Kind::unknown);
  EXPECT_EQ(find_bottleneck({}).sentence, "no show is applied");
}

TEST_F(SlowShow, NamesTheNodeThatStopsIt) {
  mix().fps = 0;
  for (auto& each : mix().stages)
    each.fps = 0;
  view_.nodes[1].health = Health::gone;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::standstill);
  EXPECT_THAT(found.sentence, AllOf(HasSubstr("stands still"), HasSubstr("node \"right\"")));
}

TEST_F(SlowShow, LeadsFromTheOutputToWhatAllWaitFor) {
  mix().fps = 0;
  mix().still_for = std::chrono::milliseconds(3100);
  for (auto& each : mix().stages)
    each.fps = 0;
  view_.nodes[1].health = Health::gone;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.still_for, std::chrono::milliseconds(3100));
  EXPECT_EQ(found.node, "right");
  EXPECT_THAT(found.path,
              ElementsAre("mix.screen", "mix.fade", "mix.right", "stream right", "right.out"));
  EXPECT_EQ(found.steps.size(), found.path.size());
  view_.submixes[1].stages.clear();
  EXPECT_THAT(find_bottleneck(view_).path,
              ElementsAre("mix.screen", "mix.fade", "mix.right", "stream right", "submix right"));
}

TEST_F(SlowShow, IsJudgedAtOneFrameASecondToo) {
  auto slow = std::make_shared<show::Show>(*view_.show);
  slow->rate = {1, 1};
  view_.show = slow;
  let_slot_be_slow();
  right(1).fps = mix().fps = 0.9;
  EXPECT_EQ(find_bottleneck(view_).kind, Kind::nothing) << "one of ten frames may just be coming";
  right(1).fps = mix().fps = 0.5;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::slot);
  EXPECT_EQ(found.slot, "waves");
  EXPECT_NEAR(found.frame_ms, 1980, 1);
}

TEST_F(SlowShow, IsDecidedOnceItsNodesAreMeasuredForLongEnough) {
  for (auto& node : view_.nodes) {
    node.uptime = std::chrono::hours(1);
    node.measured_seconds = 0.95;
  }
  let_slot_be_slow();
  EXPECT_TRUE(is_decided(view_, find_bottleneck(view_)));
  view_.nodes[1].measured_seconds = 0.5;
  EXPECT_FALSE(is_decided(view_, find_bottleneck(view_)));
  view_.nodes[1].uptime = std::chrono::milliseconds(400);
  EXPECT_TRUE(is_decided(view_, find_bottleneck(view_))) << "it has just begun";
  auto slow = std::make_shared<show::Show>(*view_.show);
  slow->rate = {1, 1};
  view_.show = slow;
  EXPECT_FALSE(is_decided(view_, find_bottleneck(view_)));
  EXPECT_FALSE(is_decided(view_, {}));
}

TEST_F(SlowShow, IsNotDecidedWhileFramesHaveJustStopped) {
  let_slot_be_slow();
  EXPECT_TRUE(is_decided(view_, find_bottleneck(view_)));
  mix().still_for = std::chrono::milliseconds(700);
  EXPECT_FALSE(is_decided(view_, find_bottleneck(view_)))
      << "the last second had frames, this moment has none";
}

TEST_F(SlowShow, NamesTheSlotOfAnotherNode) {
  let_slot_be_slow();
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::slot);
  EXPECT_EQ(
      found.sentence,
      "mix waits for right: slot \"right.waves\" (p) on node \"right\" takes 49.5 ms for a frame; "
      "the show allows 33.3 ms; mix shows 20.0 of 30 fps");
  EXPECT_THAT(found.path, ElementsAre("mix.screen", "mix.fade", "mix.right", "stream right",
                                      "right.out", "right.waves"));
  EXPECT_EQ(found.node, "right");
  EXPECT_EQ(found.slot, "waves");
}

TEST_F(SlowShow, TellsWhatEachHelperOfASlotTakes) {
  mix().stages[2].shares = kBusy;
  mix().stages[1].shares = kReady;
  mix().stages[1].helpers = mix().stages[2].helpers = 2;
  EXPECT_THAT(find_bottleneck(view_).sentence,
              HasSubstr("takes 99.0 ms for a frame with 2 helpers; the show allows"));
}

TEST_F(SlowShow, NamesTheSlotOfItsOwnAndTheMachineThatIsFull) {
  mix().stages[2].shares = kBusy;
  mix().stages[1].shares = kReady;
  view_.nodes[1].host = view_.nodes[2].host = "pc";
  view_.nodes[1].cpu_cores = 1.8;
  view_.nodes[2].cpu_cores = 2;
  EXPECT_EQ(find_bottleneck(view_).sentence,
            "slot \"mix.fade\" (p) on node \"mix\" takes 49.5 ms for a frame; the show allows 33.3 "
            "ms; machine \"pc\" has no time left: 3.8 of its 4 cores for right, mix; mix shows "
            "20.0 of 30 fps");
}

// PCs that were installed from one image.
TEST_F(SlowShow, DoesNotAddUpTheLoadOfPcsThatHaveOneName) {
  mix().stages[2].shares = kBusy;
  mix().stages[1].shares = kReady;
  view_.nodes[1].host = view_.nodes[2].host = "pc";
  view_.nodes[1].machine = "boot-a/1";
  view_.nodes[2].machine = "boot-b/1";
  view_.nodes[1].cpu_cores = 1.8;
  view_.nodes[2].cpu_cores = 2;
  EXPECT_THAT(find_bottleneck(view_).sentence, Not(HasSubstr("no time left")));
}

TEST_F(SlowShow, NamesTheBusiestSlotWhereAllWaitNowAndThen) {
  let_slot_be_slow();
  mix().stages[3].shares = {.working = 0.78, .starved = 0.22, .blocked = 0};
  right(1).shares = {.working = 0.3, .starved = 0, .blocked = 0.1};
  EXPECT_EQ(find_bottleneck(view_).slot, "screen");
}

TEST_F(SlowShow, NamesTheMachineWhereNoSlotIsBusy) {
  let_slot_be_slow();
  right(1).shares = {.working = 0.3, .starved = 0, .blocked = 0.7};
  EXPECT_EQ(find_bottleneck(view_).kind, Kind::unknown);
  EXPECT_THAT(find_bottleneck(view_).sentence,
              HasSubstr("no slot, link or machine of the show is busy"));
  view_.nodes[1].host = "pc";
  view_.nodes[1].cpu_cores = 3.8;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::machine);
  EXPECT_TRUE(found.is_slow());
  EXPECT_EQ(found.node, "right");
  EXPECT_EQ(found.sentence,
            "mix waits for right: machine \"pc\" has no time left: 3.8 of its 4 cores for right; "
            "mix shows 20.0 of 30 fps");
}

TEST_F(SlowShow, NamesTheMachineWhoseTimeOtherProgramsHave) {
  let_slot_be_slow();
  right(1).shares = {.working = 0.3, .starved = 0, .blocked = 0.7};
  view_.nodes[1].host = "pc";
  view_.nodes[1].cpu_cores = 0.4;
  view_.nodes[1].core_shares = {1, 1, 0.9, 0.9};
  EXPECT_EQ(find_bottleneck(view_).sentence,
            "mix waits for right: machine \"pc\" has no time left: 3.8 of its 4 cores, 0.4 of them "
            "for right; mix shows 20.0 of 30 fps");
}

TEST_F(SlowShow, NamesTheRecorderBesideTheScreen) {
  mix().stages[3].shares = kReady;
  mix().stages.push_back(stage("record", kBusy, {"fade"}));
  mix().stages[2].shares = kReady;
  EXPECT_EQ(find_bottleneck(view_).slot, "record");
}

TEST_F(SlowShow, NamesTheLinkThatIsSlowerThanItsSibling) {
  let_links_be_full();
  links() = {link(0, 50, 0), link(1, 5, 0)};
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::link);
  EXPECT_EQ(found.link, 1U);
  EXPECT_NEAR(found.mb_per_second_needed, 82.9, 0.1);
  EXPECT_EQ(
      found.sentence,
      "mix waits for right: stream \"right\" carries 55.0 of 82.9 MB/s: link 1 (198.18.1.2:1 to "
      "198.18.1.1:2) carries 5.0 MB/s, 10 % of what link 0 does; mix shows 20.0 of 30 fps");
}

// Its sources begin each frame just in time, so the checkers behind them never wait for readers.
TEST_F(SlowShow, LeadsToTheInputWhoseFramesAreLateBehindOtherSlots) {
  let_links_be_full();
  mix().stages[2] = stage("fade", kWaiting, {"check-left", "check-right"});
  mix().stages.push_back(stage("check-left", kWaiting, {"left"}));
  mix().stages.push_back(stage("check-right", kWaiting, {"right"}));
  EXPECT_THAT(find_bottleneck(view_).path, ElementsAre("mix.screen", "mix.fade", "mix.check-right",
                                                       "mix.right", "stream right"));
}

TEST_F(SlowShow, NamesTheLinkThatIsSlowerThanItWas) {
  let_links_be_full();
  links()[0].history = {40, 100, 35};
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.link, 0U);
  EXPECT_THAT(found.sentence, HasSubstr("carries 35.0 MB/s, 35 % of the 100.0 it has carried"));
}

TEST_F(SlowShow, NamesTheLinkThatIsSlowerThanItsNodeRemembers) {
  let_links_be_full();
  links()[0].greatest_mb_per_second = 100;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.link, 0U);
  EXPECT_THAT(found.sentence, HasSubstr("carries 35.0 MB/s, 35 % of the 100.0 it has carried"));
}

TEST_F(SlowShow, NamesTheLinkThatIsNotOpen) {
  let_links_be_full();
  links()[1].state = telemetry::LinkState::connecting;
  links()[1].error = "no carrier";
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.link, 1U);
  EXPECT_THAT(found.sentence, HasSubstr("198.18.1.1:2) of 2 is not open: no carrier"));
}

TEST_F(SlowShow, SaysThatAllLinksAreFull) {
  let_links_be_full();
  EXPECT_THAT(find_bottleneck(view_).sentence,
              HasSubstr("70.0 of 82.9 MB/s: its 2 links are full"));
}

TEST_F(SlowShow, TellsALongWayFromAFullLink) {
  let_links_be_full();
  for (auto& each : links())
    each.shares = {.sending = 0.1, .blocked = 0, .idle = 0.9};
  auto& sender = view_.streams[1].sender;
  sender.latency.p50 = std::chrono::milliseconds(150);
  sender.frames_queued = 3;
  for (auto& link : links())
    link.capacity_mb_per_second = 117;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::delay);
  EXPECT_THAT(found.sentence,
              HasSubstr("a frame takes 150.0 ms to arrive, and at most 3 are in flight"));
}

TEST_F(SlowShow, SeesThatALinkIsFullThoughWhatItWasGivenWaitsOutsideOfTheProgram) {
  let_links_be_full();
  links() = {link(0, 5, 0.9), link(1, 0.5, 0.9)};
  links()[1].history = {4, 5, 5};
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::link);
  EXPECT_EQ(found.link, 1U);
}

TEST_F(SlowShow, EndsItsSearchInALoop) {
  mix().stages[0] = stage("left", kWaiting, {"fade"});
  view_.streams.clear();
  EXPECT_THAT(find_bottleneck(view_).path, ElementsAre("mix.screen", "mix.fade", "mix.left"));
}

}  // namespace
}  // namespace submix::model
