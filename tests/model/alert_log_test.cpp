// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"

#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class AlertLogTest : public sample::HealthyShow {
 protected:
  void pass(std::chrono::milliseconds time) {
    for (auto passed = 0ms; passed < time; passed += 200ms, now_ += 200ms)
      log_.update(view_, now_);
  }
  void break_link() { links()[1].state = telemetry::LinkState::connecting; }
  void mend_link() { links()[1].state = telemetry::LinkState::open; }
  [[nodiscard]] const Alert& alert(std::size_t index = 0) const { return log_.alerts()->at(index); }
  [[nodiscard]] std::size_t count() const { return log_.alerts()->size(); }

  LocalTime now_ = LocalTime(1h);
  AlertLog log_;
};

TEST_F(AlertLogTest, OpensAnAlertOnceItHasLastedAndSaysSinceWhen) {
  break_link();
  pass(1s);
  EXPECT_EQ(count(), 0U);
  pass(1s);
  ASSERT_EQ(count(), 1U);
  EXPECT_TRUE(alert().is_open());
  EXPECT_EQ(alert().since, LocalTime(1h));
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 1U);
}

/// The show is slow while another size is on its way, or while a submix starts.
class SettlingTest : public AlertLogTest {
 protected:
  SettlingTest() {
    mix().fps = 20;
    let_slot_be_slow();
  }
  void let_another_size_come() { view_.streams[1].next_sender.node = "right"; }
  void let_submix_start() {
    view_.nodes[1].uptime = 2s;
    view_.submixes[1].state = SubmixState::starting;
  }
};

TEST_F(SettlingTest, TellsNoRateForAMoment) {
  let_another_size_come();
  pass(5s);
  EXPECT_EQ(count(), 0U);
}

TEST_F(SettlingTest, TellsALowRateOfASizeThatNeverComes) {
  let_another_size_come();
  pass(7s);
  ASSERT_EQ(count(), 1U);
  EXPECT_EQ(alert().thing, "the show");
}

TEST_F(SettlingTest, TellsALowRateOfASubmixThatStartsForEver) {
  let_submix_start();
  pass(3s);
  EXPECT_EQ(count(), 0U);
  view_.nodes[1].uptime = 6s;
  pass(3s);
  ASSERT_EQ(count(), 1U);
  EXPECT_EQ(alert().thing, "the show");
}

TEST_F(SettlingTest, BeginsAnewWithEachChange) {
  let_another_size_come();
  pass(4s);
  view_.streams[1].next_sender.node.clear();
  mix().fps = 30;
  pass(1s);
  let_another_size_come();
  mix().fps = 20;
  pass(4s);
  EXPECT_EQ(count(), 0U);
}

TEST_F(SettlingTest, NeverHidesALongStandstill) {
  let_another_size_come();
  mix().fps = 0;
  for (auto& submix : view_.submixes) {
    submix.still_for = 6s;
    for (auto& stage : submix.stages) {
      stage.fps = 0;
      stage.still_for = 6s;
    }
  }
  view_.submixes[1].state = SubmixState::starting;
  pass(2s);
  ASSERT_EQ(count(), 1U);
  EXPECT_EQ(alert().severity, Severity::fault);
}

TEST_F(AlertLogTest, LeavesOutWhatIsOverAtOnce) {
  break_link();
  pass(1s);
  mend_link();
  pass(5s);
  EXPECT_EQ(count(), 0U);
}

TEST_F(AlertLogTest, KeepsAnAlertThatIsOver) {
  break_link();
  pass(3s);
  mend_link();
  pass(1s);
  ASSERT_EQ(count(), 1U);
  EXPECT_FALSE(alert().is_open());
  EXPECT_EQ(alert().until, LocalTime(1h) + 3s);
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 0U);
}

TEST_F(AlertLogTest, CountsWhatComesBackSoonAsTheSameOne) {
  for (int i = 0; i < 3; ++i) {
    break_link();
    pass(3s);
    mend_link();
    pass(3s);
  }
  ASSERT_EQ(count(), 1U);
  EXPECT_EQ(alert().count, 3U);
  EXPECT_EQ(alert().since, LocalTime(1h));
}

TEST_F(AlertLogTest, HasNothingToBeSeenOnceItIsAcknowledged) {
  break_link();
  pass(3s);
  log_.acknowledge(alert().id);
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 0U);
  EXPECT_TRUE(alert().is_open());
}

TEST_F(AlertLogTest, IsToBeAcknowledgedAgainWhenItComesBack) {
  break_link();
  pass(3s);
  log_.acknowledge_all();
  mend_link();
  pass(3s);
  break_link();
  pass(3s);
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 1U);
}

TEST_F(AlertLogTest, TellsOnceWhatWasSeenHereAndThatItIsOver) {
  break_link();
  pass(3s);
  const auto thing = alert().thing;
  log_.acknowledge(alert().id);
  log_.acknowledge_all();
  EXPECT_THAT(log_.take_changes().seen, ElementsAre(thing));
  EXPECT_TRUE(log_.take_changes().is_empty());
  log_.set_seen({thing}, now_);
  mend_link();
  pass(1s);
  const auto changes = log_.take_changes();
  EXPECT_THAT(changes.over, ElementsAre(thing));
  EXPECT_THAT(changes.seen, IsEmpty());
}

TEST_F(AlertLogTest, HasSeenWhatSomebodyHasSeenElsewhere) {
  break_link();
  pass(3s);
  const auto thing = alert().thing;
  log_.set_seen({thing}, now_);
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 0U);
  EXPECT_TRUE(log_.take_changes().is_empty()) << "it is known already";
  log_.set_seen({}, now_);
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 1U) << "somebody has taken it back";
}

TEST_F(AlertLogTest, OpensAnAlertAsSeenThatSomebodyHasSeenElsewhere) {
  break_link();
  AlertLog other;
  for (const auto at : {now_, now_ + 2s})
    other.update(view_, at);
  log_.set_seen({other.alerts()->at(0).thing}, now_);
  pass(3s);
  ASSERT_EQ(count(), 1U);
  EXPECT_EQ(unseen_alerts(*log_.alerts()), 0U);
}

TEST_F(AlertLogTest, TakesOutWhatWasSeenAndIsNotThere) {
  log_.set_seen({"node elsewhere"}, now_);
  pass(8s);
  EXPECT_TRUE(log_.take_changes().is_empty());
  pass(4s);
  EXPECT_THAT(log_.take_changes().over, ElementsAre("node elsewhere"));
}

TEST_F(AlertLogTest, TakesOutNothingWhileNatsIsLost) {
  break_link();
  pass(3s);
  log_.acknowledge_all();
  static_cast<void>(log_.take_changes());
  log_.set_seen({alert().thing, "node elsewhere"}, now_);
  view_.connection = ConnectionState::lost;
  pass(60s);
  EXPECT_TRUE(log_.take_changes().is_empty());
}

TEST_F(AlertLogTest, PutsOpenOnesFirst) {
  break_link();
  pass(3s);
  mend_link();
  view_.nodes[0].is_other_version = true;
  pass(3s);
  ASSERT_EQ(count(), 2U);
  EXPECT_EQ(alert(0).thing, "version of node left");
  EXPECT_EQ(alert(1).thing, "link 1 of right");
}

TEST_F(AlertLogTest, EndsAnAlertOfACountThatGrowsNoMore) {
  view_.messages_dropped = 3;
  pass(5s);
  ASSERT_EQ(count(), 1U);
  EXPECT_TRUE(alert().is_open());
  pass(10s);
  EXPECT_FALSE(alert().is_open());
  view_.messages_dropped = 4;
  pass(3s);
  EXPECT_TRUE(alert().is_open());
}

TEST_F(AlertLogTest, IsBounded) {
  view_.streams.clear();
  for (int i = 0; i < 500; ++i) {
    NodeView node;
    node.name = fmt::format("n{}", i);
    node.health = Health::gone;
    view_.nodes.push_back(node);
  }
  pass(3s);
  EXPECT_LE(count(), AlertLog::kAlertsMax);
  pass(3s);
  EXPECT_LE(count(), AlertLog::kAlertsMax);
}

TEST_F(AlertLogTest, LeavesAListThatSomebodyHoldsAsItIs) {
  break_link();
  pass(3s);
  const auto held = log_.alerts();
  log_.acknowledge_all();
  EXPECT_FALSE(held->front().is_acknowledged);
}

}  // namespace
}  // namespace submix::model
