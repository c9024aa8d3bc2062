// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/standstill.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

StageView source(const char* slot, const char* plugin) {
  return {.slot = slot,
          .plugin = plugin,
          .frames = 9,
          .fps = 0,
          .shares = {.starved = 1},
          .queues = {},
          .counters = {}};
}

StageView reader(const char* slot, const char* plugin,
                 std::vector<telemetry::QueueReading> queues) {
  auto stage = source(slot, plugin);
  stage.queues = std::move(queues);
  return stage;
}

NodeView node(const char* name) {
  NodeView view;
  view.name = name;
  view.health = Health::healthy;
  return view;
}

SubmixView submix(const char* name, std::vector<StageView> stages) {
  SubmixView view;
  view.name = view.node = name;
  view.state = SubmixState::running;
  view.stages = std::move(stages);
  return view;
}

StreamView stream(const char* name) {
  StreamView view;
  view.name = name;
  view.from = {name, "out"};
  view.to = {"mix", name};
  view.sender.is_current = true;
  view.sender.frames_queued = 4;
  view.sender.links.resize(2);
  for (auto& link : view.sender.links)
    link.state = telemetry::LinkState::open;
  return view;
}

/// Left and right into mix: the mix has a frame of left, waits for one of right, and nothing moves.
class Standstill : public ::testing::Test {
 protected:
  Standstill() {
    view_.connection = ConnectionState::connected;
    view_.show = std::make_shared<show::Show>();
    view_.nodes = {node("left"), node("right"), node("mix")};
    for (const auto* name : {"left", "right"})
      view_.submixes.push_back(submix(
          name, {source("pattern", "pattern"), reader("out", "stream-out", {{"pattern", 0, 2}})}));
    view_.submixes.push_back(
        submix("mix", {source("left", "stream-in"), source("right", "stream-in"),
                       reader("fade", "xfade0r", {{"left", 2, 2}, {"right", 0, 2}})}));
    view_.submixes.back().is_final = true;
    view_.streams = {stream("left"), stream("right")};
  }

  SubmixView& right() { return view_.submixes[1]; }
  ClusterView view_;
};

TEST_F(Standstill, IsNoneWhileFramesFlow) {
  view_.submixes.back().fps = 30;
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
}

TEST_F(Standstill, IsNoneWhilePausedOrOutOfSight) {
  view_.transport.is_paused = true;
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
  view_.transport.is_paused = false;
  view_.connection = ConnectionState::lost;
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
}

TEST_F(Standstill, IsNotToldOfAShowThatTakesASecondForAFrame) {
  auto slow = std::make_shared<show::Show>();
  slow->rate = {1, 1};
  view_.show = slow;
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
}

TEST_F(Standstill, IsToldOfASlowShowOnceTwoFramesAreOverdue) {
  auto slow = std::make_shared<show::Show>();
  slow->rate = {1, 1};
  view_.show = slow;
  const auto stand_for = [this](std::chrono::milliseconds time) {
    for (auto& submix : view_.submixes) {
      submix.still_for = time;
      for (auto& stage : submix.stages)
        stage.still_for = time;
    }
  };
  right().stages[1].queues[0].size = 2;
  stand_for(2400ms);
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
  stand_for(2500ms);
  const auto causes = find_standstill_causes(view_);
  ASSERT_EQ(causes.size(), 1U);
  EXPECT_THAT(
      causes[0].text,
      HasSubstr("\"right.out\" (stream-out) on node \"right\": no frame came out of it for 2.5 s"));
  EXPECT_EQ(causes[0].slot, "out");
}

TEST_F(Standstill, IsToldOfASlowShowWhoseOutputNobodyRuns) {
  auto slow = std::make_shared<show::Show>();
  slow->rate = {1, 1};
  view_.show = slow;
  view_.submixes.back().stages.clear();
  view_.nodes.back().health = Health::absent;
  EXPECT_THAT(standstill_lines(view_), ElementsAre(HasSubstr("node \"mix\"")));
}

/// The inputs of the mix have all their frames in flight.
class StandstillBehindTheMix : public Standstill {
 protected:
  StandstillBehindTheMix() {
    auto& mix = view_.submixes.back();
    for (auto& stage : mix.stages) {
      if (stage.plugin == "stream-in") stage.shares = {.blocked = 1};
    }
    mix.stages.push_back(reader("to-pipe", "stream-out", {{"fade", 2, 2}}));
    mix.stages.push_back(reader("window", "window", {{"fade", 0, 2}}));
    mix.outputs = {"window"};
    mix.stages[3].shares = {.blocked = 1};
    auto pipe =
        submix("pipe-mix", {source("in", "stream-in"), reader("out", "pipe-out", {{"in", 2, 2}})});
    for (auto& stage : pipe.stages)
      stage.shares = {.blocked = 1};
    view_.submixes.push_back(std::move(pipe));
    view_.nodes.push_back(node("pipe-mix"));
    view_.streams.push_back(stream("pipe-mix"));
    view_.streams.back().from = {"mix", "to-pipe"};
    view_.streams.back().to = {"pipe-mix", "in"};
  }
};

TEST_F(StandstillBehindTheMix, IsLaidToTheProgramThatTakesNoPicture) {
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre("pipe \"pipe-mix\": its program has taken no picture for a second; end "
                          "the program, or: submix pipe remove pipe-mix"));
}

TEST_F(StandstillBehindTheMix, IsLaidToTheNodeThatIsGone) {
  view_.nodes.back().health = Health::gone;
  EXPECT_THAT(standstill_lines(view_), ElementsAre(HasSubstr("node \"pipe-mix\"")));
}

TEST_F(StandstillBehindTheMix, IsNotLaidToTheStreamsBeforeIt) {
  view_.submixes.back().stages[1].shares = {};
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
}

TEST_F(Standstill, IsLaidToTheProgramOfAPipeThatSendsNoPicture) {
  right().stages[0].plugin = "pipe-in";
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre(HasSubstr("pipe \"right\": its program has sent no picture")));
}

TEST_F(Standstill, IsLaidToTheNodeThatIsGone) {
  view_.nodes[1].health = Health::gone;
  view_.nodes[1].silence = 6200ms;
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre("node \"right\", which is to run submix \"right\": silent for 6.2 s; if "
                          "it does not run, start it: submix-node --name right"));
  view_.nodes.erase(view_.nodes.begin() + 1);
  EXPECT_THAT(standstill_lines(view_), ElementsAre(HasSubstr("not started")));
}

TEST_F(Standstill, IsLaidToTheSubmixThatDoesNotRun) {
  right().state = SubmixState::failed;
  right().error = "no such clip";
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre("submix \"right\" on node \"right\", which failed: no such clip"));
  right().state = SubmixState::starting;
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre("submix \"right\" on node \"right\": it is starting"));
  right().node.clear();
  EXPECT_THAT(standstill_lines(view_), ElementsAre(HasSubstr("submix assign right NODE")));
}

TEST_F(Standstill, IsLaidToTheStreamWithoutALink) {
  for (auto& link : view_.streams[1].sender.links) {
    link.state = telemetry::LinkState::connecting;
    link.error = "connection refused";
  }
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre("stream \"right\": none of its links is open: connection refused"));
}

TEST_F(Standstill, IsLaidToTheSlotWhereTheFramesEnd) {
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre("slot \"right.pattern\" (pattern) on node \"right\": no frame came "
                          "out of it for a second"));
}

TEST_F(Standstill, IsLaidToTheStreamWhoseFramesDoNotComeIn) {
  right().stages[0].shares = {.blocked = 1};
  right().stages[1].shares = {.blocked = 1};
  right().stages[1].queues[0].size = 2;
  EXPECT_THAT(
      standstill_lines(view_),
      ElementsAre("stream \"right\": 4 frames are on their way, none came in for a second"));
}

TEST_F(Standstill, IsNeverLaidToAnInputWithoutAStream) {
  view_.streams.pop_back();
  EXPECT_THAT(standstill_lines(view_), IsEmpty());
}

TEST_F(Standstill, NamesANodeOnceHoweverManySubmixesItIsToRun) {
  view_.nodes[1].health = Health::gone;
  view_.nodes[1].silence = 6200ms;
  for (const auto* name : {"a", "b", "c"}) {
    view_.submixes.push_back(submix(name, {}));
    view_.submixes.back().node = "right";
    view_.submixes.back().is_final = true;
  }
  EXPECT_THAT(
      standstill_lines(view_),
      ElementsAre(
          "node \"right\", which is to run submixes \"right\", \"a\", \"b\" and 1 more: silent "
          "for 6.2 s; if it does not run, start it: submix-node --name right"));
}

TEST_F(Standstill, SaysOnWhichMachineAndWithWhichAddressToStartANode) {
  view_.nodes[1].health = Health::gone;
  view_.nodes[1].host = "rack2";
  view_.connection_text = "nats://198.18.0.9:4222";
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre(HasSubstr(
                  "start it on rack2: submix-node --name right (without submix join: --nats "
                  "nats://198.18.0.9:4222 --key FILE)")));
  view_.connection_text = "nats://secret@198.18.0.9:4222";
  EXPECT_THAT(standstill_lines(view_), ElementsAre(::testing::Not(HasSubstr("secret"))));
  view_.connection_text = "nats://127.0.0.1:4222";
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre(::testing::EndsWith("submix-node --name right")));
}

TEST_F(Standstill, SaysThatANodeMayBeSilentForLongerThanOneHasListened) {
  view_.nodes[1].health = Health::silent;
  view_.nodes[1].silence = 1300ms;
  view_.nodes[1].is_silence_complete = false;
  EXPECT_THAT(standstill_lines(view_), ElementsAre(HasSubstr("not heard for at least 1.3 s")));
}

TEST_F(Standstill, NamesEveryCause) {
  view_.submixes.back().stages[2].queues[0].size = 0;
  view_.nodes[0].health = Health::silent;
  EXPECT_THAT(standstill_lines(view_),
              ElementsAre(HasSubstr("node \"left\""), HasSubstr("slot \"right.pattern\"")));
}

}  // namespace
}  // namespace submix::model
