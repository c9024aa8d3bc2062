// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/osc_core.hpp"

#include "tests/input/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::input {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const OscPeer kTablet{"198.18.0.9", 50'000};
const OscPeer kOther{"198.18.0.10", 50'000};
const std::string kBlurAddress = "/submix/left/glow/Blur";

class OscCoreTest : public ::testing::Test {
 protected:
  OscAnswer send(OscMessage message, const OscPeer& from = kTablet) {
    core_.begin_datagram();
    auto answer = core_.handle(message, from, stage_.scene(), now_);
    stage_.obey(answer.orders);
    return answer;
  }
  /// The pending messages to subscribers, as "host address".
  std::vector<std::string> told() {
    std::vector<std::string> lines;
    for (const auto& output : core_.feedback(stage_.scene(), now_))
      lines.push_back(output.to.host + ' ' + output.message.address);
    return lines;
  }
  void subscribe(const OscPeer& who, std::vector<OscArgument> arguments = {kBlurAddress}) {
    EXPECT_EQ(send({"/subscribe", std::move(arguments)}, who).replies.at(0).message.address,
              "/subscribed");
    static_cast<void>(told());
    wait();
  }
  void wait(std::chrono::milliseconds time = 1s) { now_ += time; }

  sample::Stage stage_;
  OscCore core_;
  LocalTime now_ = LocalTime(1h);
};

TEST_F(OscCoreTest, SetsNoNameOfAFileWhateverTheAddress) {
  for (const auto* address : {"/submix/left/clip/file", "/submix/left/clip/file/value",
                              "/submix/*/*/f*", "/submix/left/{clip,glow}/file"}) {
    const auto answer = send({address, {std::string("/home/somebody/.ssh/authorized_keys")}});
    EXPECT_THAT(answer.orders, IsEmpty()) << address;
    EXPECT_EQ(answer.replies.at(0).message.address, "/error") << address;
    EXPECT_THAT(std::get<std::string>(answer.replies.at(0).message.arguments.at(1)),
                HasSubstr("names a file"));
  }
  EXPECT_THAT(send({"/submix/left/clip/mode", {std::string("loop")}}).orders, Not(IsEmpty()))
      << "a choice";
}

// As the plugin "title" describes its parameters.
TEST_F(OscCoreTest, SetsATextButNotTheFileThatItMayComeFrom) {
  auto plugins = *stage_.view().plugins;
  plugins.at("clip").parameters = {
      {"text", "text", "What is written, up to 2,000 characters", std::string("Your text")},
      {"file", "text", "Text file of the media folder", std::string()}};
  stage_.view().plugins = std::make_shared<const decltype(plugins)>(plugins);
  const auto answer = send({"/submix/left/clip/text", {std::string("2:1 für uns")}});
  ASSERT_EQ(answer.orders.size(), 1U);
  stage_.obey(answer.orders);
  EXPECT_EQ(stage_.view().show->find_slot({"left", "clip"})->parameters.at("text"),
            show::ParameterValue("2:1 für uns"));
  EXPECT_THAT(send({"/submix/left/clip/file", {std::string("a.txt")}}).orders, IsEmpty());
}

TEST_F(OscCoreTest, MovesWhatIsAddressed) {
  EXPECT_THAT(send({kBlurAddress, {0.75F}}).replies, IsEmpty());
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.75);
  send({"/transport/black", {std::int32_t{1}}});
  EXPECT_TRUE(stage_.view().transport.is_black);
  send({"/transport/freeze", {std::int32_t{1}}});
  EXPECT_TRUE(stage_.view().transport.is_frozen);
  send({"/transport/black", {std::int32_t{0}}});
  EXPECT_FALSE(stage_.view().transport.is_black);
  send({"/transport/pause", {std::int32_t{1}}});
  EXPECT_TRUE(stage_.view().transport.is_paused);
  EXPECT_EQ(std::get<SetPace>(send({"/tempo", {133.0F}}).orders.at(0)).tempo, 133.0);
  EXPECT_EQ(std::get<SetPace>(send({"/speed", {99.0F}}).orders.at(0)).speed, show::kMasterSpeedMax);
  send({"/bypass/left/*", {true}});
  EXPECT_TRUE(stage_.view().show->find_slot({"left", "clip"})->is_bypassed);
  send({"/assign/left", {std::string("rack2")}});
  EXPECT_EQ(stage_.view().show->find_submix("left")->node, "rack2");
}

TEST_F(OscCoreTest, KeepsNumbersAsAPersonWritesThem) {
  send({kBlurAddress, {0.1F}});
  EXPECT_EQ(stage_.blur(), 0.1);
  send({"/submix/left/glow/Border_width", {0.1F}});
  EXPECT_EQ(std::get<double>(
                stage_.view().show->find_slot({"left", "glow"})->parameters.at("Border width")),
            6.4);
}

TEST_F(OscCoreTest, StepsAtAPressOnly) {
  EXPECT_EQ(send({"/transport/step"}).orders.size(), 1U);
  EXPECT_EQ(send({"/transport/step", {1.0F}}).orders.size(), 1U);
  EXPECT_EQ(send({"/transport/step", {0.0F}}).orders.size(), 0U);
}

TEST_F(OscCoreTest, APressNeedsNoArgument) {
  auto show = *stage_.view().show;
  show.presets = {{"very soft", {"left", "glow"}, {{"Blur", 0.875}}, {}}};
  show.cues.resize(1);
  show.cues[0].name = "the end";
  stage_.view().show = std::make_shared<const show::Show>(std::move(show));
  const auto press = [this](const char* address) { return send({address}).orders; };
  ASSERT_THAT(press("/preset/very_soft"), SizeIs(1));
  EXPECT_EQ(std::get<ApplyPreset>(press("/preset/very_soft")[0]).preset, "very soft");
  ASSERT_THAT(press("/go/the_end"), SizeIs(1));
  EXPECT_EQ(std::get<Go>(press("/go/the_end")[0]).cue, "the end");
  ASSERT_THAT(press("/tap"), SizeIs(1));
  EXPECT_TRUE(std::holds_alternative<Tap>(press("/tap")[0]));
  EXPECT_THAT(send({"/tap", {false}}).orders, IsEmpty()) << "a button that is released";
  EXPECT_THAT(press("/preset/*"), IsEmpty()) << "one at a time";
  EXPECT_THAT(send({"/preset/hard"}).complaint, HasSubstr("no preset \"hard\""));
}

TEST_F(OscCoreTest, CoversScreensAndRecords) {
  const auto cover = send({"/transport/fullscreen", {true}}).orders;
  ASSERT_THAT(cover, SizeIs(1));
  EXPECT_TRUE(std::get<SetFullScreen>(cover[0]).is_on);
  const auto record = send({"/transport/record", {1}}).orders;
  ASSERT_THAT(record, SizeIs(1));
  EXPECT_TRUE(std::get<SetRecording>(record[0]).is_on);
}

TEST_F(OscCoreTest, AnswersWhoAsks) {
  for (const auto& question : {OscMessage{"/get", {kBlurAddress}}, OscMessage{kBlurAddress},
                               OscMessage{kBlurAddress, {std::string("?")}}}) {
    const auto answer = send(question);
    ASSERT_EQ(answer.replies.size(), 1U);
    EXPECT_EQ(answer.replies[0].to, kTablet);
    EXPECT_EQ(answer.replies[0].message, (OscMessage{kBlurAddress, {0.5F}}));
    EXPECT_TRUE(answer.orders.empty());
  }
  EXPECT_EQ(send({"/get", {std::string("/bypass/*/*")}}).replies.size(), 5U);
}

TEST_F(OscCoreTest, SaysOnceToPeopleAndAlwaysToTheSenderWhatIsWrong) {
  const OscMessage wrong{"/submix/lfet/glow/Blur", {0.5F}};
  const auto first = send(wrong);
  EXPECT_THAT(first.complaint,
              HasSubstr("/submix/lfet/glow/Blur: submix \"lfet\" is not in the show"));
  const auto second = send(wrong);
  EXPECT_THAT(second.complaint, IsEmpty());
  for (const auto& answer : {first, second}) {
    ASSERT_EQ(answer.replies.size(), 1U);
    EXPECT_EQ(answer.replies[0].to, kTablet);
    EXPECT_EQ(answer.replies[0].message.address, "/error");
    EXPECT_EQ(answer.replies[0].message.arguments.at(0), OscArgument(wrong.address));
  }
  EXPECT_EQ(send({"/get"}).replies.at(0).message.address, "/error");
  EXPECT_EQ(send({kBlurAddress, {std::string("much")}}).replies.at(0).message.address, "/error");
}

TEST_F(OscCoreTest, KeepsABoundOnComplaints) {
  std::size_t said = 0;
  for (int i = 0; i < 1000; ++i)
    said += send({"/nonsense/" + std::to_string(i)}).complaint.empty() ? 0U : 1U;
  EXPECT_EQ(said, 256U);
}

TEST_F(OscCoreTest, CutsAndEscapesWhatItSaysOfNonsense) {
  const auto answer = send({"/submix/\x1b[2J" + std::string(60'000, 'x') + "/glow/Blur", {0.5F}});
  EXPECT_LT(answer.complaint.size(), 500U);
  EXPECT_THAT(answer.complaint, Not(HasSubstr("\x1b")));
  for (const auto& argument : answer.replies.at(0).message.arguments)
    EXPECT_LE(std::get<std::string>(argument).size(), OscCore::kReasonBytesMax + 3);
}

TEST_F(OscCoreTest, ADatagramFullOfPatternsIsObeyedUpToABound) {
  core_.begin_datagram();
  const OscMessage all{"/submix/*/*/*", {0.5F}};
  std::size_t orders = 0;
  for (int i = 0; i < 100'000; ++i)
    orders += core_.handle(all, kTablet, stage_.scene(), now_).orders.size();
  EXPECT_LE(orders, OscBudget::kLooksMax / OscBudget::kLooksPerMatch);
  EXPECT_THAT(
      std::get<std::string>(
          core_.handle(all, kTablet, stage_.scene(), now_).replies.at(0).message.arguments.at(1)),
      HasSubstr("more than one datagram may"));
  EXPECT_FALSE(send(all).orders.empty()) << "the next datagram is another one";
}

// Subscriptions.

TEST_F(OscCoreTest, TellsASubscriberAgainWhatCouldNotBeSent) {
  subscribe(kTablet);
  stage_.set_blur(0.9);
  const auto outputs = core_.feedback(stage_.scene(), now_);
  ASSERT_EQ(outputs.size(), 1U);
  core_.not_told(outputs[0], now_);
  wait(OscCore::kPeriod);
  EXPECT_THAT(told(), IsEmpty()) << "not at once";
  wait();
  EXPECT_THAT(told(), ElementsAre("198.18.0.9 " + kBlurAddress));
  wait();
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(OscCoreTest, TellsASubscriberAllThenChanges) {
  send({"/subscribe"});
  EXPECT_EQ(told().size(), 7U + 5U + 2U + 5U + 2U)
      << "parameters, bypasses, nodes, five of transport, tempo and speed";
  wait();
  EXPECT_THAT(told(), IsEmpty());
  stage_.set_blur(0.9);
  EXPECT_THAT(told(), ElementsAre("198.18.0.9 " + kBlurAddress));
}

TEST_F(OscCoreTest, TellsASubscriberOnlyWhatItWants) {
  subscribe(kTablet, {std::string("/bypass/left/*")});
  stage_.set_blur(0.9);
  EXPECT_THAT(told(), IsEmpty());
  stage_.change(model::SetBypass{{"left", "glow"}, true});
  wait();
  EXPECT_THAT(told(), ElementsAre("198.18.0.9 /bypass/left/glow"));
}

TEST_F(OscCoreTest, TellsOfAnOutputThatAPersonHasMadeAWindow) {
  auto show = *stage_.view().show;
  show.find_slot({"mix", "screen"})->parameters["fullscreen"] = true;
  stage_.view().show = std::make_shared<const show::Show>(std::move(show));
  model::SubmixView mix;
  mix.name = "mix";
  mix.node = "rack2";
  mix.stages.emplace_back().slot = "screen";
  mix.stages[0].counters = {{"display", 1}, {"full_screen", 1}};
  stage_.view().submixes = {mix};
  stage_.view().nodes[1].displays = {{"EPSON PJ", 0, 0, {1920, 1080}, 50}};
  subscribe(kTablet, {"/transport/fullscreen"});
  EXPECT_THAT(told(), IsEmpty());
  stage_.view().submixes[0].stages[0].counters[1].second = 0;
  EXPECT_THAT(told(), ElementsAre("198.18.0.9 /transport/fullscreen"));
}

TEST_F(OscCoreTest, TellsOthersButNotTheSender) {
  subscribe(kTablet);
  subscribe(kOther);
  send({kBlurAddress, {0.9F}});
  EXPECT_THAT(told(), ElementsAre("198.18.0.10 " + kBlurAddress));
  wait();
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(OscCoreTest, TellsTheSenderWhereItsValueEndedUp) {
  subscribe(kTablet, {kBlurAddress + "/value"});
  send({kBlurAddress + "/value", {7.0F}});
  EXPECT_THAT(told(), IsEmpty()) << "a hand is on it";
  wait();
  EXPECT_THAT(told(), ElementsAre("198.18.0.9 " + kBlurAddress + "/value")) << "7 was clamped to 1";
}

TEST_F(OscCoreTest, TellsTheSenderWhatSomebodyElseMadeOfItsValue) {
  subscribe(kTablet);
  send({kBlurAddress, {0.9F}});
  stage_.set_blur(0.1);
  wait();
  EXPECT_THAT(told(), ElementsAre("198.18.0.9 " + kBlurAddress));
}

TEST_F(OscCoreTest, TellsTwoProgramsOfOneMachineApart) {
  const OscPeer first{"127.0.0.1", 5001};
  const OscPeer second{"127.0.0.1", 5002};
  subscribe(first);
  subscribe(second);
  send({kBlurAddress, {0.9F}}, first);
  const auto outputs = core_.feedback(stage_.scene(), now_);
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].to, second);
}

TEST_F(OscCoreTest, AnswersAtThePortThatASubscriberListensAt) {
  subscribe(kTablet, {std::int32_t{9000}, kBlurAddress});
  stage_.set_blur(0.9);
  const auto outputs = core_.feedback(stage_.scene(), now_);
  ASSERT_EQ(outputs.size(), 1U);
  EXPECT_EQ(outputs[0].to, (OscPeer{kTablet.host, 9000}));
}

TEST_F(OscCoreTest, TellsNotMoreOftenThanItMay) {
  subscribe(kTablet);
  std::size_t count = 0;
  for (int i = 0; i < 1000; ++i) {
    stage_.set_blur(i % 2 == 0 ? 0.1 : 0.9);
    count += told().size();
    now_ += 1ms;
  }
  EXPECT_LE(count, 1000 / static_cast<std::size_t>(OscCore::kPeriod.count()) + 1);
  EXPECT_GE(count, 20U);
}

TEST_F(OscCoreTest, TellsALargeShowInSeveralPortions) {
  auto show = *stage_.view().show;
  auto& slots = show.find_submix("left")->slots;
  for (int i = 0; i < 50; ++i) {
    slots.push_back(slots[1]);
    slots.back().name = "g" + std::to_string(i);
  }
  const auto parameters = std::size_t{3 * 51};
  stage_.view().show = std::make_shared<const show::Show>(std::move(show));
  send({"/subscribe", {std::string("/submix/*/*/*"), std::string("/submix/*/*/*/value")}});
  EXPECT_EQ(told().size(), OscCore::kChangesMax);
  EXPECT_THAT(told(), IsEmpty()) << "too early";
  now_ += OscCore::kPeriod;
  EXPECT_EQ(told().size(), 2 * (parameters + 4) - OscCore::kChangesMax);
}

TEST_F(OscCoreTest, ForgetsASubscriberThatIsSilentForLong) {
  subscribe(kTablet);
  wait(OscCore::kLease - 2s);
  send({"/get", {kBlurAddress}});
  wait(OscCore::kLease - 2s);
  static_cast<void>(told());
  EXPECT_EQ(core_.subscribers(), 1U) << "any message renews it";
  wait(OscCore::kLease + 2s);
  static_cast<void>(told());
  EXPECT_EQ(core_.subscribers(), 0U);
}

TEST_F(OscCoreTest, EndsASubscriptionWhenAsked) {
  subscribe(kTablet);
  EXPECT_EQ(send({"/unsubscribe"}).replies.at(0).message.address, "/unsubscribed");
  EXPECT_EQ(core_.subscribers(), 0U);
  EXPECT_EQ(send({"/unsubscribe"}).replies.at(0).message.address, "/error");
}

TEST_F(OscCoreTest, HasABoundOnSubscribers) {
  for (std::uint16_t i = 0; i < 100; ++i)
    send({"/subscribe"}, {"198.18.1.1", static_cast<std::uint16_t>(5000 + i)});
  EXPECT_EQ(core_.subscribers(), OscCore::kSubscribersMax);
}

TEST_F(OscCoreTest, TellsReceiversThatNeverAsked) {
  core_.set_receivers({kTablet});
  EXPECT_EQ(told().size(), 21U);
  wait(std::chrono::hours(24));
  stage_.set_blur(0.9);
  EXPECT_EQ(told().size(), 1U);
}

TEST_F(OscCoreTest, RefusesAnInPointBehindTheOutPointAndTellsTheSender) {
  auto plugins = *stage_.view().plugins;
  for (const auto* end : {"in", "out"})
    plugins.at("clip").parameters.push_back({end, "number", "", 0.0, 0.0, 100.0});
  stage_.view().plugins = std::make_shared<const decltype(plugins)>(plugins);
  EXPECT_EQ(send({"/submix/left/clip/out/value", {2.0F}}).orders.size(), 1U);
  const auto refused = send({"/submix/left/clip/in/value", {3.0F}});
  EXPECT_THAT(refused.orders, IsEmpty());
  ASSERT_EQ(refused.replies.size(), 1U);
  EXPECT_EQ(refused.replies[0].message.address, "/error");
  EXPECT_THAT(refused.complaint, HasSubstr("in point 3 s is not before the out point 2 s"));
  EXPECT_EQ(send({"/submix/left/clip/in/value", {1.0F}}).orders.size(), 1U);
}

}  // namespace
}  // namespace submix::input
