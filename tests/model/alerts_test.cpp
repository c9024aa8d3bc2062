// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"

#include "controller/model/view/cluster_model.hpp"
#include "tests/model/readings.hpp"
#include "tests/model/slow_show.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::model {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class AlertsTest : public sample::HealthyShow {
 protected:
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

TEST_F(AlertsTest, DoesNotDecideAboutANodeOfTheShowWithoutReadings) {
  EXPECT_THAT(undecided_things(view_), IsEmpty());
  view_.nodes[1].health = Health::starting;
  EXPECT_THAT(undecided_things(view_), ElementsAre("node right has sent no reading yet"));
  view_.nodes[1].health = Health::healthy;
  view_.nodes[1].measured_seconds = 0.5;
  EXPECT_THAT(undecided_things(view_),
              ElementsAre("node right has been measured for less than a second"));
  view_.nodes[1].health = Health::unknown;
  EXPECT_THAT(undecided_things(view_), ElementsAre("node right cannot be heard now"));
  view_.nodes[1].name = "visitor";
  EXPECT_THAT(undecided_things(view_), IsEmpty()) << "nodes outside the show come and go";
}

TEST_F(AlertsTest, NamesTheDiskOfASilentStoreAndNoNode) {
  view_.is_store_silent = true;
  view_.show_error = "NATS does not answer";
  for (auto& node : view_.nodes)
    node.health = Health::unknown;
  mix().fps = 0;
  EXPECT_EQ(only().thing, "NATS");
  EXPECT_EQ(only().severity, Severity::fault);
  EXPECT_THAT(only().cause, HasSubstr("the disk is full"));
  EXPECT_THAT(only().response, HasSubstr("make room on that disk, then start NATS again"));
}

TEST_F(AlertsTest, FindsAShowThatNobodyCanRead) {
  ClusterView view;
  view.connection = ConnectionState::connected;
  view.show_revision = 7;
  view.show_author = "somebody";
  view.show_error = "the cluster's show:2: no array\nof tables";
  const auto found = find_alerts(view);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().severity, Severity::fault);
  EXPECT_EQ(found.front().cause,
            "revision 7 by somebody cannot be read: the cluster's show:2: no array of tables");
  EXPECT_EQ(found.front().response,
            "the former show goes on; apply a readable one: submix apply FILE");
}

TEST_F(AlertsTest, FindsANodeOfAnotherVersion) {
  view_.nodes[0].is_other_version = true;
  EXPECT_EQ(only().thing, "version of node left");
}

TEST_F(AlertsTest, FindsANodeThatIsTooFarInVersion) {
  view_.nodes[0].version = "999.0.0";
  EXPECT_EQ(only().thing, "version of node left");
  EXPECT_THAT(only().cause, HasSubstr("node left has 999.0.0"));
  EXPECT_EQ(only().severity, Severity::fault);
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
  EXPECT_EQ(only().response, "its input is passed on in its place");
}

TEST_F(AlertsTest, SaysThatTheShowGoesOnWithoutASourceInTrouble) {
  right(1).queues.clear();
  right(1).trouble = "no camera is plugged in";
  EXPECT_EQ(only().response, "the show goes on without what it should show");
}

TEST_F(AlertsTest, SaysThatAnOutputWithoutItsDisplayIsShownAllTheSame) {
  right(1).plugin = "window";
  right(1).trouble = "the display \"BenQ\" is missing";
  EXPECT_EQ(only().cause, right(1).trouble);
  EXPECT_EQ(only().response, "the show goes on, and the output with it");
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
  view_.events.push_back(
      {.id = 1,
       .at = {},
       .count = 1,
       .event = {"right", Severity::warning, "stream right, link 1", "cable pulled"}});
  EXPECT_EQ(only().cause, "cable pulled");
}

TEST(Alerts, TellWhyNothingIsHeard) {
  constexpr LocalTime kNow(1h);
  ClusterModel model;
  model.set_connection(ConnectionState::connected, "nats", kNow);
  auto reading = sample::sender(1);
  reading.sound = {.is_listening = true, .trouble = "no sound card"};
  model.accept(sample::report("rack1"), kNow);
  model.accept(reading, kNow);
  const auto found = find_alerts(model.view(kNow));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().thing, "sound of node rack1");
  EXPECT_EQ(found.front().cause, "host: no sound card");
}

TEST(Alerts, TellThatNobodyListensToWhatParametersFollow) {
  ClusterView view;
  view.connection = ConnectionState::connected;
  show::Show show;
  show::Slot slot{.name = "glow", .plugin = "frei0r/glow", .parameters = {}, .inputs = {}};
  slot.oscillators = {{"Blur", {.waveform = show::Waveform::sound_bass}}};
  show.submixes = {{.name = "left", .node = "", .slots = {slot}}};
  view.show = std::make_shared<const show::Show>(show);
  const auto causes = [&] {
    std::vector<std::string> found;
    for (const auto& alert : find_alerts(view))
      found.push_back(alert.thing + ": " + alert.cause);
    return found;
  };
  EXPECT_THAT(causes(),
              ::testing::Contains("sound: parameters follow the sound, and nobody listens"));
  show.sound.node = "desk";
  view.show = std::make_shared<const show::Show>(show);
  EXPECT_THAT(causes(),
              ::testing::Contains("sound of node desk: the node that listens is not here"));
}

TEST(Alerts, WarnOfALostRightToRealTimeUntilTheNodeHasTheRightAgain) {
  constexpr LocalTime kNow(1h);
  ClusterModel model;
  model.set_connection(ConnectionState::connected, "nats", kNow);
  auto reading = sample::sender(1);
  reading.realtime.reason = "thread left/glow ran for too long";
  model.accept(sample::report("rack1"), kNow);
  model.accept(reading, kNow);
  const auto found = find_alerts(model.view(kNow));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().severity, Severity::warning);
  EXPECT_EQ(found.front().thing, "real time of node rack1");
  EXPECT_EQ(found.front().node, "rack1");
  EXPECT_EQ(found.front().cause, "host: thread left/glow ran for too long");

  model.accept(sample::sender(2), kNow + 100ms);
  EXPECT_THAT(find_alerts(model.view(kNow + 100ms)), IsEmpty());
}

TEST_F(AlertsTest, FindsALinkThatSaysItIsSlow) {
  links()[0].warning = "100 of 1000 Mbit/s";
  EXPECT_EQ(only().thing, "link 0 of right");
}

/// Right's two links are on cards of 1 Gbit/s. Link 1 carries little, and idles: its queue is in
/// the network.
class SlowLinkTest : public AlertsTest {
 protected:
  SlowLinkTest() {
    links() = {sample::link(0, 80, 0.5), sample::link(1, 2.4, 1)};
    links()[0].limit_mb_per_second = 117;
    links()[1].capacity_mb_per_second = 9.2;  // the planner's hope
    links()[1].limit_mb_per_second = 2.5;
    links()[1].greatest_mb_per_second = 41;
  }
};

TEST_F(SlowLinkTest, IsToldThoughTheOtherSuffices) {
  EXPECT_EQ(only().thing, "link 1 of right");
  EXPECT_EQ(only().cause, "link 1 of right carries 2.4 of the 41.0 MB/s it has carried");
  EXPECT_EQ(
      only().response,
      "the other link carries the rest: the show has no spare left; check plug, cable and switch");
}

TEST_F(SlowLinkTest, IsToldWithoutAWordOfSpareWhereTwoOthersCarryTheRest) {
  links().push_back(sample::link(2, 40, 0.5));
  links()[2].limit_mb_per_second = 117;
  EXPECT_EQ(only().response, "2 other links carry the rest; check plug, cable and switch");
}

TEST_F(SlowLinkTest, IsToldWithoutAWordOfSpareWhereNoOtherCarriesWhatItShould) {
  links()[0].mb_per_second = 20;
  links()[0].limit_mb_per_second = 20;
  links()[0].greatest_mb_per_second = 80;
  const auto alerts = find_alerts(view_);
  ASSERT_EQ(alerts.size(), 2U);
  for (const auto& alert : alerts)
    EXPECT_EQ(alert.response, "no other link carries what it should; check plug, cable and switch");
}

TEST_F(SlowLinkTest, IsToldOfTheOnlyLink) {
  links().erase(links().begin());
  EXPECT_EQ(only().response, "no other link carries the stream; check plug, cable and switch");
}

TEST_F(SlowLinkTest, IsNotToldOfALinkThatIsGivenLittle) {
  links()[1].limit_mb_per_second = 0;
  EXPECT_THAT(things(), IsEmpty()) << "nothing had to wait for it";
  links()[1].limit_mb_per_second = 117;
  EXPECT_THAT(things(), IsEmpty()) << "it carries more when it is asked to";
}

TEST_F(SlowLinkTest, IsNotToldOfAShowOfLowRate) {
  for (auto& link : links()) {
    link.mb_per_second = 0.5;
    link.greatest_mb_per_second = 0.6;
    link.limit_mb_per_second = 0;
  }
  EXPECT_THAT(things(), IsEmpty());
}

TEST_F(AlertsTest, FindsAControlConnectionThatIsGoneWhileFramesFlow) {
  view_.nodes[1].health = Health::unheard;
  view_.nodes[1].host = "rack1";
  view_.nodes[1].unheard_mb_per_second = 82.9;
  EXPECT_EQ(only().thing, "control of node right");
  EXPECT_EQ(only().cause,
            "rack1: its control connection is gone; its streams still carry 82.9 MB/s");
}

TEST_F(AlertsTest, FindsALowRateAndNamesThePc) {
  mix().fps = 20;
  let_slot_be_slow();
  view_.nodes[1].host = "rack1";
  EXPECT_EQ(only().thing, "the show");
  EXPECT_EQ(only().severity, Severity::warning);
  EXPECT_THAT(only().cause, StartsWith("mix waits for right: slot \"right.waves\""));
  EXPECT_THAT(only().cause, EndsWith("; node \"right\" runs on rack1"));
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
  EXPECT_THAT(only().response, HasSubstr("holds the last picture while frames are late"));
}

TEST_F(AlertsTest, SaysOnlyThatNatsIsLostWhileItIs) {
  links()[1].state = telemetry::LinkState::connecting;
  view_.connection = ConnectionState::lost;
  EXPECT_THAT(things(), ElementsAre("NATS"));
}

}  // namespace
}  // namespace submix::model
