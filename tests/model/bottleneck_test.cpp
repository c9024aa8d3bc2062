// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/bottleneck.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Kind = Bottleneck::Kind;

constexpr StageShares kReady{.working = 0.2, .starved = 0, .blocked = 0.8};
constexpr StageShares kWaiting{.working = 0.2, .starved = 0.8, .blocked = 0};
constexpr StageShares kBusy{.working = 0.99, .starved = 0.01, .blocked = 0};

StageView stage(const char* slot, StageShares shares, std::vector<const char*> inputs = {}) {
  StageView view{
      .slot = slot, .plugin = "p", .frames = 9, .fps = 20, .shares = shares, .queues = {}, .counters = {}};
  for (const auto* input : inputs)
    view.queues.push_back({input, 0, 2});
  return view;
}

SubmixView submix(const char* name, std::vector<StageView> stages) {
  SubmixView view;
  view.name = view.node = name;
  view.state = SubmixState::running;
  view.fps = 20;
  view.stages = std::move(stages);
  return view;
}

LinkView link(std::uint32_t index, double mb_per_second, double idle) {
  LinkView view;
  view.index = index;
  view.state = telemetry::LinkState::open;
  view.local = fmt::format("198.18.{}.2:1", index);
  view.remote = fmt::format("198.18.{}.1:2", index);
  view.mb_per_second = view.capacity_mb_per_second = mb_per_second;
  view.shares = {.sending = 0, .blocked = 1 - idle, .idle = idle};
  return view;
}

StreamView stream(const char* name) {
  StreamView view;
  view.name = name;
  view.from = {name, "out"};
  view.to = {"mix", name};
  view.sender.node = name;
  view.sender.links = {link(0, 35, 0.1), link(1, 35, 0.1)};
  return view;
}

/// Left and right into mix, which shows 20 of 30 fps because it waits for right's frames.
class SlowShow : public ::testing::Test {
 protected:
  SlowShow() {
    auto show = std::make_shared<show::Show>();
    show->size = {1280, 720};
    show->rate = {30, 1};
    view_.show = show;
    view_.connection = Connection::connected;
    for (const auto* name : {"left", "right"}) {
      view_.submixes.push_back(submix(
          name, {stage("clip", kReady), stage("waves", kReady, {"clip"}), stage("out", kReady, {"waves"})}));
    }
    view_.submixes.push_back(
        submix("mix", {stage("left", kReady), stage("right", kWaiting),
                       stage("fade", kWaiting, {"left", "right"}), stage("screen", kWaiting, {"fade"})}));
    view_.submixes.back().is_final = true;
    view_.streams = {stream("left"), stream("right")};
    for (const auto* name : {"left", "right", "mix"}) {
      NodeView node;
      node.name = name;
      node.health = Health::healthy;
      node.cores = 4;
      view_.nodes.push_back(node);
    }
  }

  StageView& right(std::size_t slot) { return view_.submixes[1].stages[slot]; }
  SubmixView& mix() { return view_.submixes[2]; }
  std::vector<LinkView>& links() { return view_.streams[1].sender.links; }
  void let_slot_be_slow() {
    right(1).shares = kBusy;
    right(2).shares = kWaiting;
  }
  void let_links_be_full() { view_.streams[1].sender.blocked_share = 0.8; }

  ClusterView view_;
};

TEST_F(SlowShow, IsNotHeldBackAtItsRate) {
  mix().fps = 29;  // a second's count is off by one
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::nothing);
  EXPECT_FALSE(found.is_slow());
  EXPECT_EQ(found.sentence, "nothing holds the show back: mix shows 29.0 of 30 fps");
  EXPECT_THAT(found.path, IsEmpty());
}

TEST_F(SlowShow, SaysThatItIsPaused) {
  view_.transport = {.is_paused = true, .author = "eva"};
  EXPECT_EQ(find_bottleneck(view_).kind, Kind::paused);
  EXPECT_EQ(find_bottleneck(view_).sentence, "the show is paused by eva");
}

TEST_F(SlowShow, SaysThatNothingIsKnown) {
  view_.connection = Connection::lost;
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

TEST_F(SlowShow, NamesTheSlotOfAnotherNode) {
  let_slot_be_slow();
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::slot);
  EXPECT_EQ(found.sentence,
            "mix waits for right: slot \"right.waves\" (p) on node \"right\" takes 49.5 ms for a frame, "
            "which lasts "
            "33.3 ms; mix shows 20.0 of 30 fps");
  EXPECT_THAT(found.path,
              ElementsAre("mix.screen", "mix.fade", "mix.right", "stream right", "right.out", "right.waves"));
  EXPECT_EQ(found.node, "right");
  EXPECT_EQ(found.slot, "waves");
}

TEST_F(SlowShow, NamesTheSlotOfItsOwnAndTheMachineThatIsFull) {
  mix().stages[2].shares = kBusy;
  mix().stages[1].shares = kReady;
  view_.nodes[1].host = view_.nodes[2].host = "pc";
  view_.nodes[1].cpu_cores = 1.8;
  view_.nodes[2].cpu_cores = 2;
  EXPECT_EQ(find_bottleneck(view_).sentence,
            "slot \"mix.fade\" (p) on node \"mix\" takes 49.5 ms for a frame, which lasts 33.3 ms; machine "
            "\"pc\" has no time "
            "left: 3.8 of its 4 cores for right, mix; mix shows 20.0 of 30 fps");
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
  EXPECT_THAT(find_bottleneck(view_).sentence, HasSubstr("no slot, link or machine of the show is busy"));
  view_.nodes[1].host = "pc";
  view_.nodes[1].cpu_cores = 3.8;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::machine);
  EXPECT_TRUE(found.is_slow());
  EXPECT_EQ(found.node, "right");
  EXPECT_EQ(found.sentence,
            "mix waits for right: machine \"pc\" has no time left: 3.8 of its 4 cores for right; mix shows "
            "20.0 of 30 fps");
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
  EXPECT_EQ(found.sentence,
            "mix waits for right: stream \"right\" carries 55.0 of 82.9 MB/s: link 1 (198.18.1.2:1 to "
            "198.18.1.1:2) "
            "carries 5.0 MB/s, 10 % of what link 0 does; mix shows 20.0 of 30 fps");
}

TEST_F(SlowShow, NamesTheLinkThatIsSlowerThanItWas) {
  let_links_be_full();
  links()[0].history = {40, 100, 35};
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
  EXPECT_THAT(find_bottleneck(view_).sentence, HasSubstr("70.0 of 82.9 MB/s: its 2 links are full"));
}

TEST_F(SlowShow, TellsALongWayFromAFullLink) {
  let_links_be_full();
  for (auto& each : links())
    each.shares = {.sending = 0.1, .blocked = 0, .idle = 0.9};
  auto& sender = view_.streams[1].sender;
  sender.latency.p50 = std::chrono::milliseconds(150);
  sender.frames_queued = 3;
  const auto found = find_bottleneck(view_);
  EXPECT_EQ(found.kind, Kind::delay);
  EXPECT_THAT(found.sentence, HasSubstr("a frame is 150.0 ms on its way and 3 at most are"));
}

TEST_F(SlowShow, EndsItsSearchInALoop) {
  mix().stages[0] = stage("left", kWaiting, {"fade"});
  view_.streams.clear();
  EXPECT_THAT(find_bottleneck(view_).path, ElementsAre("mix.screen", "mix.fade", "mix.left"));
}

}  // namespace
}  // namespace submix::model
