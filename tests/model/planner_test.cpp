// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/plan/planner.hpp"

#include "controller/model/edit/patch_changes.hpp"
#include "controller/model/edit/show_changes.hpp"
#include "controller/model/plan/plan_cards.hpp"
#include "tests/model/edited.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

namespace submix::model {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Optional;

NetworkInterface card(std::string name, std::string address, int speed_mbit) {
  return {std::move(name), std::move(address), 24, 1500, speed_mbit, true, speed_mbit};
}

/// sample::show() at 1280x720 and 30 fps: 83 MB/s from left on rack1 to mix on rack2. Each node has
/// two cards of 1 Gbit/s, which leave TCP 1448 of 1538 bytes: 117.7 MB/s.
class PlannerTest : public ::testing::Test {
 protected:
  PlannerTest() {
    view_.connection = ConnectionState::connected;
    view_.show = std::make_shared<const show::Show>(sample::show());
    for (const int i : {1, 2}) {
      NodeView node;
      node.name = fmt::format("rack{}", i);
      node.host = node.name;
      node.cores = 4;
      node.cpu_cores = 1.5;
      for (const int subnet : {0, 1}) {
        const auto address = fmt::format("198.18.{}.{}", subnet, i);
        node.interfaces.push_back(card(fmt::format("eth{}", subnet), address, 1000));
        node.endpoints.push_back({address, 24, 7400, 1500, true, 1000, 1000});
      }
      view_.nodes.push_back(node);
    }
    view_.submixes.push_back(submix("left", "rack1",
                                    {stage("clip", "clip", 0.3), stage("glow", "frei0r/glow", 0.6),
                                     stage("out", "stream-out", 0)}));
    view_.submixes.push_back(
        submix("mix", "rack2", {stage("left", "stream-in", 0), stage("screen", "window", 0.3)}));
  }

  static StageView stage(std::string slot, std::string plugin, double working) {
    StageView stage;
    stage.slot = std::move(slot);
    stage.plugin = std::move(plugin);
    stage.frames = 300;
    stage.fps = 30;
    stage.shares.working = working;
    return stage;
  }
  static SubmixView submix(std::string name, std::string node, std::vector<StageView> stages) {
    SubmixView submix;
    submix.name = std::move(name);
    submix.node = std::move(node);
    submix.stages = std::move(stages);
    return submix;
  }
  [[nodiscard]] Plan with(Size size, FrameRate rate) const {
    auto wanted = *view_.show;
    wanted.size = size;
    wanted.rate = rate;
    return plan_show(view_, wanted);
  }
  static const Finding* find(const Plan& plan, const std::string& about) {
    const auto found = std::ranges::find(plan.findings, about, &Finding::about);
    return found == plan.findings.end() ? nullptr : &*found;
  }

  ClusterView view_;
};

TEST_F(PlannerTest, WhatRunsIsFine) {
  const auto plan = plan_show(view_, *view_.show);
  EXPECT_EQ(plan.outlook, Outlook::fine) << plan.findings.front().text;
  ASSERT_EQ(plan.streams.size(), 1U);
  EXPECT_THAT(plan.streams[0].needs, DoubleNear(82.944, 1e-6));  // 1280 * 720 * 3 * 30
  EXPECT_THAT(plan.streams[0].has, Optional(DoubleNear(235.37, 0.01)));
  ASSERT_EQ(plan.cards.size(), 4U);
  EXPECT_THAT(plan.cards[0].out, DoubleNear(41.472, 1e-6));
  EXPECT_THAT(plan.cards[2].in, DoubleNear(41.472, 1e-6));
  ASSERT_EQ(plan.machines.size(), 2U);
  EXPECT_THAT(plan.machines[0].load, DoubleNear(1.5, 1e-6));
}

TEST_F(PlannerTest, RefusesWhatTheCardsCannotCarryWithBothFigures) {
  const auto plan = with({1920, 1080}, {60, 1});
  const auto* finding = find(plan, "stream left");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::refused);
  EXPECT_EQ(finding->text, "stream \"left\" needs 373 MB/s, rack1-rack2 has 235");
  EXPECT_EQ(plan.outlook, Outlook::refused);
}

TEST_F(PlannerTest, SaysThatLittleIsLeft) {
  const auto plan = with({1280, 720}, {80, 1});  // 221.2 of 235.4
  const auto* finding = find(plan, "stream left");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::warning);
  EXPECT_EQ(finding->text, "stream \"left\" needs 221 MB/s, rack1-rack2 has 235: little is left");
}

TEST_F(PlannerTest, CountsNoCardThatTheSenderDoesNotOffer) {
  view_.nodes[0].endpoints.pop_back();
  auto wanted = *view_.show;
  wanted.find_stream("left")->link_count = 3;  // differs from the running stream
  const auto plan = plan_show(view_, wanted);
  EXPECT_THAT(plan.streams[0].has, Optional(DoubleNear(235.37 / 2, 0.01)));
}

TEST_F(PlannerTest, RefusesASlotThatTakesLongerThanAFrame) {
  const auto plan = with({1280, 720}, {60, 1});  // glow: 0.6 of 33.3 ms is 20 ms
  const auto* finding = find(plan, "slot left.glow");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->text, "slot \"left.glow\" takes 20.0 of 16.7 ms");
  EXPECT_EQ(find(plan, "slot left.clip"), nullptr);
}

TEST_F(PlannerTest, HelpersShareASlotsFrames) {
  auto wanted = *view_.show;
  wanted.rate = {60, 1};
  wanted.find_slot({"left", "glow"})->helpers = 2;
  EXPECT_EQ(find(plan_show(view_, wanted), "slot left.glow"), nullptr);
}

TEST_F(PlannerTest, TakesMeasuredWorkAlongToAnotherComputer) {
  auto wanted = *view_.show;
  wanted.find_submix("left")->node = "rack2";
  const auto plan = plan_show(view_, wanted);
  ASSERT_EQ(plan.machines.size(), 1U) << "rack1 runs nothing";
  EXPECT_THAT(plan.machines[0].load, DoubleNear(1.5 + 0.9, 1e-6));
  EXPECT_TRUE(plan.cards.empty()) << "frames stay on one computer";
  EXPECT_FALSE(plan.streams[0].is_on_cards);
}

TEST_F(PlannerTest, RefusesMoreWorkThanAComputerHasCores) {
  view_.nodes[1].cpu_cores = 3.5;
  auto wanted = *view_.show;
  wanted.find_submix("left")->node = "rack2";
  const auto plan = plan_show(view_, wanted);
  const auto* finding = find(plan, "machine rack2");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::refused);
  EXPECT_EQ(finding->text, "rack2 would need 4.4 of 4 cores");
}

TEST_F(PlannerTest, CountsAllNodesOfOneComputer) {
  view_.nodes[0].host = view_.nodes[1].host = "box";
  const auto plan = plan_show(view_, *view_.show);
  ASSERT_EQ(plan.machines.size(), 1U);
  EXPECT_EQ(plan.machines[0].name, "rack1, rack2");
  EXPECT_THAT(plan.machines[0].load, DoubleNear(3.0, 1e-6));
  EXPECT_TRUE(plan.cards.empty()) << "by shared memory";
}

TEST_F(PlannerTest, CountsComputersOfOneNameApart) {
  view_.nodes[0].host = view_.nodes[1].host = "box";
  view_.nodes[0].machine = "boot-a/1";
  view_.nodes[1].machine = "boot-b/1";
  const auto plan = plan_show(view_, *view_.show);
  ASSERT_EQ(plan.machines.size(), 2U);
  EXPECT_EQ(plan.machines[0].name, "rack1");
  EXPECT_FALSE(plan.cards.empty()) << "by cable";
}

TEST_F(PlannerTest, CountsNetworkNamespacesOfOneComputerTogetherAndPlansTheirCables) {
  view_.nodes[0].machine = "boot-a/1";
  view_.nodes[1].machine = "boot-a/2";
  const auto plan = plan_show(view_, *view_.show);
  EXPECT_EQ(plan.machines.size(), 1U);
  EXPECT_FALSE(plan.cards.empty()) << "no shared memory between containers";
}

TEST_F(PlannerTest, ScalesWorkWithPixelsAndFrames) {
  // Half the pixels, twice as often; but a hand-over of 0.1 ms is the same for every frame. Of the
  // other work, 0.6 cores, two thirds come twice as often, too.
  const auto plan = with({640, 720}, {60, 1});
  EXPECT_THAT(plan.machines[0].load, DoubleNear(1.5 + 0.4 + 2 * 0.05 * 60 / 1e3, 1e-6));
}

TEST_F(PlannerTest, AClipsDecodingGrowsNeitherWithTheShowsSizeNorWithItsRate) {
  view_.submixes[0].stages[0].counters = {{"damaged", 0},
                                          {"decoding_us", 300 * 8000}};  // 8 ms beside its 10
  auto bypassed = *view_.show;
  bypassed.find_slot({"left", "glow"})->is_bypassed = true;
  bypassed.size = {2560, 1440};
  EXPECT_THAT(plan_show(view_, bypassed).machines[0].load,
              DoubleNear(0.36 + 30 * (8 + 0.1 + 9.9 * 4) / 1e3, 1e-6));
  bypassed.size = {1280, 720};
  bypassed.rate = {60, 1};
  EXPECT_THAT(plan_show(view_, bypassed).machines[0].load,
              DoubleNear(0.36 * 5 / 3 + 60 * (4 + 10) / 1e3, 1e-6));
  EXPECT_THAT(plan_show(view_, bypassed).slots.at(0).ms, Optional(DoubleNear(10, 1e-6)))
      << "the slot does not wait for it";
}

TEST_F(PlannerTest, AWaitForACoreIsNoWork) {
  auto& glow = view_.submixes[0].stages[1];  // 0.6 cores at 30 fps: 20 ms a frame
  glow.run_delay = 0.15;                     // 5 ms of them
  EXPECT_THAT(with({1280, 720}, {30, 1}).slots.at(1).ms, Optional(DoubleNear(15, 1e-6)));
  glow.run_delay = 0.7;
  EXPECT_THAT(with({1280, 720}, {30, 1}).slots.at(1).ms, Optional(DoubleNear(0, 1e-6)));
}

// Scaling reads the clip's pixels, for 0.7 each. A written pixel costs 1.5 times as much as in a
// picture that is not scaled.
TEST_F(PlannerTest, AClipIsPaintedByThePixelsThatItHasAndThatTheShowHas) {
  view_.submixes[0].stages[0].counters = {{"own_width", 1280}, {"own_height", 720}};
  const auto ms_at = [&](Size size) { return with(size, {30, 1}).slots.at(0).ms; };
  EXPECT_THAT(ms_at({1280, 720}), Optional(DoubleNear(10, 1e-6)));
  EXPECT_THAT(ms_at({640, 360}), Optional(DoubleNear(0.1 + 9.9 * (0.7 + 1.5 / 4), 1e-6)));
  EXPECT_THAT(ms_at({640, 480}), Optional(DoubleNear(0.1 + 9.9 * (0.7 + 1.5 / 4), 1e-6)))
      << "bars cost nothing";
  view_.submixes[0].stages[0].counters = {{"own_width", 640}, {"own_height", 360}};
  EXPECT_THAT(ms_at({640, 360}), Optional(DoubleNear(0.1 + 9.9 / (0.7 + 1.5 * 4), 1e-6)));
  EXPECT_THAT(ms_at({320, 180}),
              Optional(DoubleNear(0.1 + 9.9 * (0.7 + 1.5 / 4) / (0.7 + 1.5 * 4), 1e-6)));
}

// The show is 1280x720, the clip 1280x1440: it gets bars, is cut by half, or is squeezed.
TEST_F(PlannerTest, AClipOfAnotherShapeIsPaintedAsItsFitSays) {
  view_.submixes[0].stages[0].counters = {{"own_width", 1280}, {"own_height", 1440}};
  const auto ms_with = [&](const std::string& fit) {
    auto wanted = *view_.show;
    wanted.find_slot({"left", "clip"})->parameters["fit"] = fit;
    return plan_show(view_, wanted).slots.at(0).ms;
  };
  const double now = 0.7 * 2 + 1.5 * 0.5;  // bars, in frames: two are read, half of one is written
  EXPECT_THAT(ms_with("fill"), Optional(DoubleNear(0.1 + 9.9 * 1 / now, 1e-6))) << "not scaled";
  EXPECT_THAT(ms_with("stretch"), Optional(DoubleNear(0.1 + 9.9 * (0.7 * 2 + 1.5) / now, 1e-6)));
}

TEST_F(PlannerTest, ASlotIsMeasuredAtTheSizeThatItRunsAt) {
  auto refused = *view_.show;
  refused.size = {16, 16};  // A plugin of "left" does not take the size: the former show runs on.
  view_.show = std::make_shared<const show::Show>(refused);
  StreamView stream;
  stream.name = "left";
  stream.from = {"left", "out"};
  stream.sender.node = "rack1";
  stream.sender.size = {1280, 720};
  view_.streams.push_back(stream);
  const auto plan = with({1280, 720}, {30, 1});
  EXPECT_EQ(find(plan, "slot left.clip"), nullptr);
  EXPECT_THAT(plan.machines[0].load, DoubleNear(1.5, 1e-6));
}

TEST_F(PlannerTest, TheWayBackFromASizeThatWasRefusedIsOpen) {
  auto refused = *view_.show;
  refused.size = {16, 16};
  view_.show = std::make_shared<const show::Show>(refused);
  view_.submixes[0].state = SubmixState::failed;
  for (auto& stage : view_.submixes[0].stages) {  // all wait for the receiver, which has the new
                                                  // size
    stage.fps = 0;
    stage.frame_time.p50 = std::chrono::milliseconds(10);
  }
  const auto change = plan_change(view_, SetShowSize{{1280, 720}});
  ASSERT_TRUE(change);
  EXPECT_LT(change->outlook, Outlook::refused) << change->sentence;
}

// The plan, from measurements at 640x360, predicts that 720p takes too long; but 720p has run.
TEST_F(PlannerTest, TheWayBackToAShowThatRanIsOpen) {
  const auto ran = view_.show;
  auto small = *ran;
  small.size = {426, 240};
  view_.show = std::make_shared<const show::Show>(small);
  view_.submixes[0].stages[1].shares.working = 0.2;  // 9 times the pixels: 54 of 33.3 ms
  const auto outlook_of = [&](const Edit& edit) { return plan_change(view_, edit)->outlook; };
  ASSERT_EQ(outlook_of(SetShowSize{{1280, 720}}), Outlook::refused);
  view_.good_show = ran;
  EXPECT_EQ(outlook_of(SetShowSize{{1280, 720}}), Outlook::warning) << "the last good show";
  EXPECT_EQ(outlook_of(SetShowSize{{1264, 720}}), Outlook::warning) << "asks less than that";
  EXPECT_EQ(outlook_of(SetShowSize{{1296, 720}}), Outlook::refused) << "asks more";
  view_.good_show = view_.show;
  EXPECT_EQ(outlook_of(SetShowSize{{1280, 720}}), Outlook::refused);
  view_.proven_shows =
      std::make_shared<const std::vector<std::shared_ptr<const show::Show>>>(2, ran);
  EXPECT_EQ(outlook_of(SetShowSize{{1280, 720}}), Outlook::warning) << "ran at its rate";
}

TEST_F(PlannerTest, TransparencyAsksMoreOfTheCards) {
  auto ran = *view_.show;
  ran.size = {1920, 1080};  // 187 of 235 MB/s; with transparency 249
  view_.show = std::make_shared<const show::Show>(ran);
  view_.good_show = view_.show;
  const auto stream = ran.streams.front().name;
  EXPECT_EQ(plan_change(view_, *set_pixels(ran, stream, PixelFormat::rgba))->outlook,
            Outlook::refused);
  ran.streams.front().pixels = PixelFormat::rgba;
  view_.show = view_.good_show = std::make_shared<const show::Show>(ran);
  EXPECT_LT(plan_change(view_, *set_pixels(ran, stream, PixelFormat::rgb24))->outlook,
            Outlook::refused);
}

TEST_F(PlannerTest, AMoveBackToWhereASubmixRanIsOpen) {
  const auto ran = view_.show;
  view_.nodes[0].cores = 1;  // the plan predicts 1.5 cores
  auto moved = *ran;
  moved.submixes[0].node = "rack2";
  view_.show = std::make_shared<const show::Show>(moved);
  view_.submixes[0].node = "rack2";
  const Edit back = AssignSubmix{"left", "rack1"};
  ASSERT_EQ(plan_change(view_, back)->outlook, Outlook::refused);
  view_.good_show = ran;
  EXPECT_EQ(plan_change(view_, back)->outlook, Outlook::warning);
}

TEST_F(PlannerTest, WhatIsFarFromAllThatWasMeasuredIsAGuessAndNotRefused) {
  const auto plan = with({5120, 2880}, {30, 1});  // 16 times the pixels
  const auto* finding = find(plan, "slot left.glow");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::warning);
  EXPECT_THAT(finding->text, HasSubstr("\"left.glow\" may take 318.5 of 33.3 ms"));
  EXPECT_TRUE(plan.machines[0].is_guess);
}

TEST_F(PlannerTest, ABypassedSlotShallTakeWhatItTookBefore) {
  auto bypassed = *view_.show;
  bypassed.find_slot({"left", "glow"})->is_bypassed = true;
  view_.show = std::make_shared<const show::Show>(bypassed);
  auto& glow = view_.submixes[0].stages[1];
  glow.shares.working = 0.001;
  glow.frame_time.p50 = std::chrono::milliseconds(40);
  const auto change = plan_change(view_, SetBypass{{"left", "glow"}, false});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->outlook, Outlook::refused);
  EXPECT_EQ(change->sentence, "slot \"left.glow\" takes 40.0 of 33.3 ms");
}

TEST_F(PlannerTest, SaysWhatIsNotKnownAndInventsNothing) {
  for (auto& node : view_.nodes) {
    for (auto& interface : node.interfaces)
      interface.speed_mbit = 0;
    for (auto& end : node.endpoints)
      end.speed_mbit = 0;
  }
  auto wanted = *view_.show;
  wanted.find_submix("left")->slots.push_back(sample::slot("new", "frei0r/new"));
  const auto plan = plan_show(view_, wanted);
  EXPECT_EQ(plan.outlook, Outlook::unknown);
  EXPECT_EQ(plan.streams[0].has, std::nullopt);
  EXPECT_THAT(find(plan, "stream left")->text, HasSubstr("is not known"));
  EXPECT_THAT(find(plan, "slot left.new")->text, HasSubstr("has not run yet"));
  EXPECT_FALSE(plan.machines[0].is_whole);
}

TEST_F(PlannerTest, TakesWhatThePluginTookInAnotherSlot) {
  auto wanted = *view_.show;
  auto copy = *wanted.find_slot({"left", "glow"});
  copy.name = "second";
  wanted.find_submix("left")->slots.insert(wanted.find_submix("left")->slots.begin() + 2, copy);
  const auto plan = plan_show(view_, wanted);
  EXPECT_EQ(plan.outlook, Outlook::fine);
  EXPECT_THAT(plan.machines[0].load, DoubleNear(2.1, 1e-6));
}

// The plugin copies a stream's frames, and takes twice as long as the same plugin elsewhere.
TEST_F(PlannerTest, AHostedPluginBehindAStreamIsAGuessWhereItWasMeasuredElsewhere) {
  auto wanted = *view_.show;
  auto copy = *wanted.find_slot({"left", "glow"});
  copy.name = "second";
  auto& slots = wanted.find_submix("mix")->slots;
  slots.insert(slots.begin() + 1, copy);
  const auto is_guess = [&] { return plan_show(view_, wanted).machines[1].is_guess; };
  EXPECT_FALSE(is_guess()) << "it is not hosted";
  view_.submixes[0].stages[1].counters = {{"copied", 0}};
  EXPECT_TRUE(is_guess());
}

TEST_F(PlannerTest, ANodeThatIsNotHereIsNotKnown) {
  const auto change = plan_change(view_, AssignSubmix{"left", "rack9"});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->outlook, Outlook::unknown);
  EXPECT_THAT(change->sentence, HasSubstr("node rack9 is not here"));
}

TEST_F(PlannerTest, LinksThatWereMeasuredWarnWhereCardsSayMore) {
  StreamView stream;
  stream.name = "left";
  stream.sender.node = "rack1";
  stream.receiver.node = "rack2";
  for (const int i : {0, 1}) {
    LinkView link;
    link.local = fmt::format("198.18.{}.1:40000", i);
    link.remote = fmt::format("198.18.{}.2:7400", i);
    link.capacity_mb_per_second = i == 0 ? 100 : 11;
    stream.sender.links.push_back(link);
  }
  view_.streams.push_back(stream);
  const auto plan = with({1280, 720}, {50, 1});  // 138.2 MB/s
  const auto* finding = find(plan, "stream left");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::warning);
  EXPECT_EQ(finding->text, "stream \"left\" needs 138 MB/s, rack1-rack2 was measured to carry 111");
}

TEST_F(PlannerTest, LinksAreThoseThatTheReceiverReportsWhileTheSenderIsSilent) {
  StreamView stream;
  stream.name = "left";
  stream.sender.node = "rack1";
  stream.receiver.node = "rack2";
  stream.sender.links.resize(1);  // of its last report
  for (const int i : {0, 1}) {
    LinkView link;
    link.local = fmt::format("198.18.{}.2:7400", i);
    link.remote = fmt::format("198.18.{}.1:40000", i);
    link.capacity_mb_per_second = i == 0 ? 100 : 11;
    stream.receiver.links.push_back(link);
  }
  view_.streams.push_back(stream);
  const auto plan = plan_show(view_, *view_.show);
  for (const auto& card : plan.cards)
    EXPECT_THAT(card.name, ::testing::AnyOf("eth0", "eth1"));
  EXPECT_EQ(plan.cards.size(), 4U);
}

TEST_F(PlannerTest, ACardThatSeveralStreamsShareIsCountedOnce) {
  auto wanted = *view_.show;
  wanted.find_submix("mix")->slots.push_back(sample::slot("second", "stream-in"));
  const auto added = add_stream(wanted, {{"left", "out"}, {"mix", "second"}, "second"});
  ASSERT_TRUE(model::apply(wanted, *added));
  for (auto& stream : wanted.streams)
    stream.routes = {{"198.18.0.1", "198.18.0.2"}};
  const auto plan = plan_show(view_, wanted);  // 2 * 82.9 over one card of 117.7
  const auto* finding = find(plan, "card eth0 of rack1");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::refused);
  EXPECT_EQ(finding->text, "card eth0 of rack1 would send 166 of 118 MB/s");
}

TEST_F(PlannerTest, StreamsThatNeedMoreThanAllCardsOfANodeAreRefused) {
  auto wanted = *view_.show;
  wanted.size = {1920, 1080};
  wanted.find_submix("mix")->slots.push_back(sample::slot("second", "stream-in"));
  const auto added = add_stream(wanted, {{"left", "out"}, {"mix", "second"}, "second"});
  ASSERT_TRUE(model::apply(wanted, *added));
  const auto plan = plan_show(view_, wanted);  // 2 * 186.6 over two cards of 117.7
  const auto* finding = find(plan, "cards eth0, eth1 of rack2");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->outlook, Outlook::refused);
  EXPECT_EQ(finding->text, "cards eth0 and eth1 of rack2 would receive 373 of 235 MB/s");
}

TEST_F(PlannerTest, AnEditThatAsksLessOfAllIsNeverRefused) {
  auto show = *view_.show;
  show.size = {1920, 1080};
  show.rate = {200, 1};
  view_.show = std::make_shared<const show::Show>(show);
  ASSERT_EQ(plan_show(view_, show).outlook, Outlook::refused);
  for (const Edit& edit :
       {Edit(SetShowSize{{1280, 720}}), Edit(SetShowRate{{100, 1}}), Edit(AssignSubmix{"left", ""}),
        Edit(SetBypass{{"left", "glow"}, true})}) {
    const auto change = plan_change(view_, edit);
    ASSERT_TRUE(change) << change.error().message;
    EXPECT_LT(change->outlook, Outlook::refused) << title(edit) << ": " << change->sentence;
  }
}

TEST_F(PlannerTest, AChangeIsToldWithWhatItAsks) {
  const auto change = plan_change(view_, AssignSubmix{"left", "rack2"});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->outlook, Outlook::fine);
  EXPECT_EQ(change->sentence, "rack2: 2.4 of 4 cores");
}

TEST_F(PlannerTest, AChangeIsNotBlamedForWhatIsSoAlready) {
  auto show = *view_.show;
  show.rate = {60, 1};  // glow is too slow
  view_.show = std::make_shared<const show::Show>(show);
  const auto change = plan_change(view_, SetBypass{{"left", "clip"}, true});
  ASSERT_TRUE(change);
  EXPECT_EQ(change->plan.outlook, Outlook::refused);
  EXPECT_TRUE(change->findings.empty());
}

TEST_F(PlannerTest, AChangeThatRelievesAnOverloadIsNotRefused) {
  auto show = *view_.show;
  show.rate = {200, 1};  // glow takes 20 of 5 ms
  view_.show = std::make_shared<const show::Show>(show);
  const auto change = plan_change(view_, SetHelpers{{"left", "glow"}, 2});
  ASSERT_TRUE(change);
  ASSERT_NE(find(change->plan, "slot left.glow"), nullptr);
  EXPECT_TRUE(change->findings.empty()) << change->sentence;
}

TEST_F(PlannerTest, OnlyWhatMayAskMoreNeedsAPlan) {
  const auto may_ask_more_with = [&](const Edit& edit) {
    auto after = *view_.show;
    EXPECT_TRUE(apply(after, edit));
    return may_ask_more(*view_.show, after);
  };
  EXPECT_TRUE(may_ask_more_with(AssignSubmix{"left", "rack2"}));
  EXPECT_TRUE(may_ask_more_with(SetHelpers{{"left", "glow"}, 2}));
  EXPECT_TRUE(may_ask_more_with(SetLinks{"left", 1}));
  EXPECT_TRUE(may_ask_more_with(SetShowRate{{60, 1}}));
  EXPECT_FALSE(
      may_ask_more_with(SetParameter{{"left", "glow"}, "Blur", show::ParameterValue(0.7)}));
  EXPECT_FALSE(may_ask_more_with(SetTempo{{.beats_per_minute = 90}}));
  EXPECT_FALSE(may_ask_more_with(SetPolicy{"left", show::InputPolicy::latest}));
  EXPECT_FALSE(may_ask_more_with(SetBypass{{"left", "glow"}, true}));
}

TEST_F(PlannerTest, ANewNameIsNotRefusedWhereSomethingIsOverloaded) {
  auto show = *view_.show;
  show.rate = {200, 1};  // glow takes 20 of 5 ms, and the stream needs 553 of 235 MB/s
  view_.show = std::make_shared<const show::Show>(show);
  ASSERT_EQ(plan_show(view_, show).outlook, Outlook::refused);
  for (const auto& edit : {rename_submix(show, "left", "sky"), rename_stream(show, "left", "sky"),
                           rename_slot(show, {"left", "glow"}, "shine")}) {
    ASSERT_TRUE(edit) << edit.error().message;
    const auto change = plan_change(view_, *edit);
    ASSERT_TRUE(change);
    EXPECT_TRUE(change->findings.empty()) << change->sentence;
    EXPECT_EQ(change->sentence, "asks no more of cards and computers");
    auto renamed = show;
    ASSERT_TRUE(apply(renamed, *edit));
    EXPECT_FALSE(may_ask_more(show, renamed)) << title(*edit);
  }
}

TEST_F(PlannerTest, ASlotThatShallWorkAgainNeedsAPlan) {
  auto bypassed = *view_.show;
  bypassed.find_slot({"left", "glow"})->is_bypassed = true;
  EXPECT_TRUE(may_ask_more(bypassed, *view_.show));
}

TEST_F(PlannerTest, AnEditThatCannotBeMadeHasNoPlan) {
  EXPECT_FALSE(plan_change(view_, AssignSubmix{"nobody", "rack1"}));
  EXPECT_THAT(why(plan_change(view_, SetLinks{"left", 99})), HasSubstr("not within 1 to 8"));
}

TEST(UsableSpeed, IsWhatEthernetAndTcpLeave) {
  EXPECT_THAT(usable_mb_per_second(1000, 1500), Optional(DoubleNear(117.69, 0.01)));  // 1448 / 1538
  EXPECT_THAT(usable_mb_per_second(10000, 9000), Optional(DoubleNear(1237.6, 0.1)));  // 8948 / 9038
  EXPECT_EQ(usable_mb_per_second(0, 1500), std::nullopt);
}

}  // namespace
}  // namespace submix::model
