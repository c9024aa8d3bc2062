// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/alerts.hpp"

#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AlertsTest : public sample::SlowShow {
 protected:
  AlertsTest() {
    for (auto& stream : view_.streams)
      stream.sender.is_current = true;
  }
  [[nodiscard]] std::vector<std::string> things() const {
    std::vector<std::string> things;
    for (const auto& alert : find_alerts(view_))
      things.push_back(alert.thing);
    return things;
  }
  [[nodiscard]] Alert only() const {
    const auto found = find_alerts(view_);
    EXPECT_EQ(found.size(), 1U);
    return found.empty() ? Alert() : found.front();
  }
};

TEST_F(AlertsTest, FindsNothingInAShowThatIsWell) {
  EXPECT_THAT(things(), IsEmpty());
}

TEST_F(AlertsTest, FindsANodeThatIsGoneAndSaysWhatItsReceiversShow) {
  view_.nodes[1].health = Health::gone;
  view_.streams[1].sender.is_current = false;
  view_.streams[1].policy = show::InputPolicy::black;
  const auto alert = only();
  EXPECT_EQ(alert.thing, "node right");
  EXPECT_EQ(alert.node, "right");
  EXPECT_EQ(alert.severity, Severity::fault);
  EXPECT_EQ(alert.response, "stream right: its input goes black");
}

TEST_F(AlertsTest, FindsANodeThatTheShowNeedsAndNobodyHasStarted) {
  view_.nodes[1].health = Health::absent;
  EXPECT_THAT(only().response, HasSubstr("submix-node --name right"));
  view_.submixes[1].node.clear();
  EXPECT_THAT(things(), IsEmpty()) << "nobody needs it";
}

TEST_F(AlertsTest, FindsANodeOfAnotherVersion) {
  view_.nodes[0].is_other_version = true;
  EXPECT_EQ(only().thing, "version of node left");
}

TEST_F(AlertsTest, FindsASubmixThatFailed) {
  view_.submixes[0].state = SubmixState::failed;
  view_.submixes[0].error = "no such plugin";
  EXPECT_EQ(only().cause, "no such plugin");
  EXPECT_EQ(only().submix, "left");
}

TEST_F(AlertsTest, FindsASlotThatIsBypassed) {
  right(1).trouble = "crashed three times";
  EXPECT_EQ(only().thing, "slot right.waves");
  EXPECT_EQ(only().slot, "waves");
}

TEST_F(AlertsTest, FindsALinkThatIsNotOpenAndSaysWhatCarriesTheStream) {
  links()[1].state = telemetry::LinkState::connecting;
  links()[1].error = "no route to host";
  EXPECT_EQ(only().thing, "link 1 of right");
  EXPECT_EQ(only().cause, "no route to host");
  EXPECT_EQ(only().severity, Severity::warning);
  EXPECT_THAT(only().response, HasSubstr("1 of 2 links carry the stream"));
}

TEST_F(AlertsTest, FindsAStreamWithoutALinkWorse) {
  for (auto& link : links())
    link.state = telemetry::LinkState::connecting;
  for (const auto& alert : find_alerts(view_))
    EXPECT_EQ(alert.severity, Severity::fault);
}

TEST_F(AlertsTest, TellsByAnEventWhyALinkIsNotOpen) {
  links()[1].state = telemetry::LinkState::connecting;
  view_.events.push_back({.id = 1,
                          .at = {},
                          .count = 1,
                          .event = {"right", Severity::warning, "stream right, link 1", "cable pulled"}});
  EXPECT_EQ(only().cause, "cable pulled");
}

TEST_F(AlertsTest, FindsALinkThatSaysItIsSlow) {
  links()[0].warning = "100 of 1000 Mbit/s";
  EXPECT_EQ(only().thing, "link 0 of right");
}

TEST_F(AlertsTest, FindsADetachedStreamDamageAndDroppedMessages) {
  view_.streams[0].sender.detached = "behind for 3 s";
  links()[0].stripes_damaged = 2;
  view_.messages_dropped = 7;
  EXPECT_THAT(things(), ElementsAre("stream left", "damage on link 0 of right", "this controller"));
}

TEST_F(AlertsTest, FindsAnInputWhosePerformerIsTooSlow) {
  auto& stream = view_.streams[1];
  stream.policy = show::InputPolicy::hold;
  stream.receiver.detached = "its frames have come 500 ms late in all";
  EXPECT_THAT(things(), IsEmpty()) << "an old word";
  stream.receiver.is_current = true;
  EXPECT_EQ(only().thing, "input mix.right");
  EXPECT_EQ(only().severity, Severity::warning);
  EXPECT_EQ(only().cause, stream.receiver.detached);
  EXPECT_THAT(only().response, HasSubstr("holds the last picture where no frame is there in time"));
}

TEST_F(AlertsTest, SaysOnlyThatNatsIsLostWhileItIs) {
  links()[1].state = telemetry::LinkState::connecting;
  view_.connection = Connection::lost;
  EXPECT_THAT(things(), ElementsAre("NATS"));
}

class AlertLogTest : public AlertsTest {
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
