// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/critical_path.hpp"

#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using BoxKind = PathBox::Kind;
using State = PathBox::State;

class CriticalPathTest : public sample::SlowShow {
 protected:
  [[nodiscard]] std::vector<PathBox> path() const {
    return critical_path(view_, find_bottleneck(view_));
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& box : path())
      names.push_back(box.name);
    return names;
  }
  [[nodiscard]] std::vector<std::string> limits() const {
    std::vector<std::string> names;
    for (const auto& box : path()) {
      if (box.is_limit) names.push_back(box.name);
    }
    return names;
  }
};

TEST_F(CriticalPathTest, LeadsFromTheOutputThroughQueuesAndLinksToTheSlotThatLimits) {
  let_slot_be_slow();
  EXPECT_THAT(names(), ElementsAre("mix.screen", "fade to screen", "mix.fade", "right to fade",
                                   "mix.right", "waiting for mix", "stream right",
                                   "in flight to mix", "right.out", "waves to out", "right.waves"));
  EXPECT_THAT(limits(), ElementsAre("right.waves"));
}

TEST_F(CriticalPathTest, EndsAtTheStreamWhoseLinksLimit) {
  let_links_be_full();
  const auto boxes = path();
  EXPECT_THAT(limits(), ElementsAre("stream right"));
  EXPECT_EQ(boxes.back().name, "in flight to mix");
}

TEST_F(CriticalPathTest, LeadsOnToASourceWhereNothingLimits) {
  mix().fps = 30;
  EXPECT_EQ(names().back(), "right.clip");
  EXPECT_TRUE(limits().empty());
}

TEST_F(CriticalPathTest, LeadsOnToASourceInAPause) {
  view_.transport.is_paused = true;
  EXPECT_EQ(names().back(), "right.clip");
}

TEST_F(CriticalPathTest, SaysOfEachSlotWhatItDoesMostOfItsTime) {
  let_slot_be_slow();
  const auto boxes = path();
  EXPECT_EQ(boxes.front().state, State::starved);
  EXPECT_EQ(boxes.back().state, State::working);
}

TEST_F(CriticalPathTest, SaysOfAnOutputThatWaitsForItsTimeThatItIsOnTime) {
  mix().fps = 30;
  mix().stages.back().shares = sample::kReady;
  EXPECT_EQ(path().front().state, State::paced);
}

TEST_F(CriticalPathTest, SaysHowFullEachQueueIs) {
  mix().stages[3].queues[0] = {"fade", 2, 2};
  EXPECT_EQ(path()[1].state, State::full);
  mix().stages[3].queues[0].size = 1;
  EXPECT_EQ(path()[1].state, State::filling);
  mix().stages[3].queues[0].size = 0;
  EXPECT_EQ(path()[1].state, State::empty);
}

TEST_F(CriticalPathTest, CallsLinksClosedOfWhichOneIs) {
  let_links_be_full();
  links()[1].state = telemetry::LinkState::connecting;
  const auto boxes = path();
  const auto found = std::ranges::find(boxes, BoxKind::links, &PathBox::kind);
  ASSERT_NE(found, boxes.end());
  EXPECT_EQ(found->state, State::closed);
}

TEST_F(CriticalPathTest, EndsAtASubmixWhoseNodeIsGone) {
  mix().fps = 0;
  for (auto& stage : mix().stages)
    stage.fps = 0;
  view_.nodes[1].health = Health::gone;
  view_.submixes[1].stages.clear();
  const auto boxes = path();
  EXPECT_EQ(boxes.back().kind, BoxKind::submix);
  EXPECT_EQ(boxes.back().remark, "node right is gone");
  EXPECT_TRUE(boxes.back().is_limit);
}

TEST_F(CriticalPathTest, LeadsThroughANodeThatIsNotHeardButSends) {
  view_.nodes[1].health = Health::unheard;
  for (const auto& box : path())
    EXPECT_NE(box.state, State::away) << box.remark;
}

TEST_F(CriticalPathTest, IsTheOutputAloneWhereThatDoesNotRun) {
  mix().stages.clear();
  mix().state = SubmixState::failed;
  mix().error = "no such file";
  EXPECT_THAT(names(), ElementsAre("submix mix"));
}

TEST_F(CriticalPathTest, IsEmptyWithoutAShow) {
  EXPECT_TRUE(critical_path({}, {}).empty());
}

}  // namespace
}  // namespace submix::model
