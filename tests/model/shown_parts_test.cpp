// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/shown_parts.hpp"

#include "common/show/macros.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/view/cluster_model.hpp"
#include "tests/model/readings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

StageView stage(const char* slot, double fps) {
  StageView view;
  view.slot = slot;
  view.fps = fps;
  return view;
}

/// The parts of a show that a controller takes as shown before any report of a node.
class ShownParts : public ::testing::Test {
 protected:
  [[nodiscard]] ClusterView view() const {
    ClusterModel model;
    model.set_connection(ConnectionState::connected, "test", LocalTime());
    model.set_show(std::make_shared<const show::Show>(show_), 1, "test");
    return model.view(LocalTime());
  }
  template <typename Question>
  [[nodiscard]] std::vector<std::string> submixes(Question question) const {
    std::vector<std::string> names;
    for (const auto& submix : view().submixes) {
      if (question(submix)) names.push_back(submix.name);
    }
    return names;
  }
  [[nodiscard]] std::vector<std::string> shown() const {
    return submixes([](const SubmixView& submix) { return submix.is_shown; });
  }
  [[nodiscard]] std::vector<std::string> finals() const {
    return submixes([](const SubmixView& submix) { return submix.is_final; });
  }
  void add(std::string name, std::string node, std::vector<show::Slot> slots) {
    show_.submixes.push_back({std::move(name), std::move(node), std::move(slots)});
  }
  void lead(std::string name, show::Port from, show::Port to) {
    show::Stream stream;
    stream.name = std::move(name);
    stream.from = std::move(from);
    stream.to = std::move(to);
    show_.streams.push_back(stream);
  }

  show::Show show_ = sample::show();
};

TEST_F(ShownParts, AreWhatReachesAnOutput) {
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
  EXPECT_THAT(finals(), ElementsAre("mix"));
  EXPECT_THAT(view().find_submix("mix")->outputs, ElementsAre("screen"));
  EXPECT_TRUE(view().streams.at(0).is_shown);
}

TEST_F(ShownParts, LeaveOutASubmixThatFeedsNobody) {
  add("three", "rack1", {sample::slot("pattern", "pattern"), sample::slot("out", "stream-out")});
  add("four", "", {});
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
  EXPECT_THAT(finals(), ElementsAre("mix"));
}

TEST_F(ShownParts, LeaveOutWhatFeedsOnlyIdleSubmixes) {
  add("three", "rack1", {sample::slot("pattern", "pattern"), sample::slot("out", "stream-out")});
  add("four", "rack1", {sample::slot("in", "stream-in")});
  lead("three", {"three", "out"}, {"four", "in"});
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
  EXPECT_FALSE(view().streams.at(1).is_shown);
}

TEST_F(ShownParts, LeaveOutAnInputThatNoSlotReads) {
  add("three", "rack1", {sample::slot("pattern", "pattern"), sample::slot("out", "stream-out")});
  auto spare = sample::slot("spare", "stream-in");
  auto screen = sample::slot("screen", "window");
  screen.inputs = {"left"};
  show_.submixes[1].slots = {sample::slot("left", "stream-in"), spare, screen};
  lead("three", {"three", "out"}, {"mix", "spare"});
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
}

TEST_F(ShownParts, AreReachedThroughSubmixesThatStandInOthers) {
  add("look", "",
      {sample::slot("in", "stream-in"), sample::slot("glow", "frei0r/glow"),
       sample::slot("out", "stream-out")});
  show_.submixes[1].slots.insert(show_.submixes[1].slots.begin() + 1,
                                 sample::slot("place", "submix/look"));
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
  EXPECT_THAT(finals(), ElementsAre("mix"));
}

TEST_F(ShownParts, EndAtACheckerThatNobodyReads) {
  show_.submixes[1].slots[1].plugin = "checker";
  EXPECT_THAT(view().find_submix("mix")->outputs, ElementsAre("screen"));
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
}

TEST_F(ShownParts, DoNotEndAtACheckerBesideAWindow) {
  add("proof", "rack1",
      {sample::slot("pattern", "pattern"), sample::slot("check", "checker"),
       sample::slot("end", "null")});
  show_.submixes[1].slots.push_back(sample::slot("end", "null"));
  EXPECT_THAT(shown(), ElementsAre("left", "mix"));
  EXPECT_THAT(view().find_submix("mix")->outputs, ElementsAre("screen"));
  show_.submixes[1].node.clear();
  EXPECT_THAT(finals(), ElementsAre("proof")) << "no node runs the window";
}

TEST_F(ShownParts, DoNotEndAtARecordingThatIsSwitchedOff) {
  auto record = sample::slot("record", "record");
  record.parameters["recording"] = false;
  show_.submixes[1].slots.push_back(record);
  EXPECT_THAT(view().find_submix("mix")->outputs, ElementsAre("screen"));
  show_.submixes[1].slots.back().parameters["recording"] = true;
  EXPECT_THAT(view().find_submix("mix")->outputs, ElementsAre("screen", "record"));
}

TEST_F(ShownParts, AreAllOfAShowWithoutOutputs) {
  show_.submixes[1].slots[1].plugin = "frei0r/glow";
  add("three", "rack1", {sample::slot("pattern", "pattern")});
  EXPECT_THAT(shown(), ElementsAre("left", "mix", "three"));
  EXPECT_THAT(finals(), ElementsAre("mix", "three"));
}

TEST_F(ShownParts, TakeAnOutputWithoutANodeOnlyWhereThereIsNoOther) {
  add("new", "", {sample::slot("pattern", "pattern"), sample::slot("screen", "window")});
  EXPECT_THAT(finals(), ElementsAre("mix"));
  show_.submixes[1].node.clear();
  EXPECT_THAT(finals(), ElementsAre("mix", "new"));
}

TEST_F(ShownParts, AreNotHeldUpByASubmixThatNobodyRuns) {
  add("three", "", {});
  EXPECT_THAT(find_bottleneck(view()).sentence, Not(HasSubstr("three")));
}

TEST_F(ShownParts, FollowTheWiringThatRuns) {
  auto seen = view();
  auto& mix = seen.submixes.at(1);
  mix.stages = {stage("left", 30), stage("screen", 30)};
  mark_shown_parts(show::expand(show_), seen);
  EXPECT_FALSE(seen.submixes.at(0).is_shown) << "the screen reads nothing";
  mix.stages.at(1).queues = {{"left", 0, 2}};
  mark_shown_parts(show::expand(show_), seen);
  EXPECT_TRUE(seen.submixes.at(0).is_shown);
}

TEST_F(ShownParts, ShowWhatTheirSlowestOutputDoes) {
  auto seen = view();
  auto& mix = seen.submixes.at(1);
  mix.stages = {stage("left", 0), stage("screen", 30)};
  mix.fps = 0;  // an idle slot stands still
  mark_shown_parts(show::expand(show_), seen);
  EXPECT_EQ(mix.fps, 30);
}

}  // namespace
}  // namespace submix::model
