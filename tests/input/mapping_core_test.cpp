// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/mapping_core.hpp"

#include "tests/input/scene.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace submix::input {
namespace {

using namespace std::chrono_literals;
using Kind = MidiControl::Kind;
const Target kBlur = ParameterTarget{{"left", "glow"}, "Blur"};
const std::string kDevice = "nano";

class MappingCoreTest : public ::testing::Test {
 protected:
  void map(Mapping mapping) {
    mapping.device = kDevice;
    core_.set_mappings({std::move(mapping)});
  }
  void map_pair() {
    Mapping mapping{kDevice, MidiControl{Kind::cc14, 1, 7}, kBlur};
    mapping.is_soft = false;
    map(mapping);
  }
  void map_blur(bool is_soft = false) {
    Mapping mapping{kDevice, MidiControl{Kind::cc, 1, 7}, kBlur};
    mapping.is_soft = is_soft;
    map(mapping);
  }
  std::size_t send(const MidiBytes& bytes) {
    const auto orders =
        core_.handle(event_of(kDevice, bytes).value_or(SurfaceEvent{}), stage_.scene(), now_);
    stage_.obey(orders);
    return orders.size();
  }
  void press(const char* key, bool is_down = true) {
    const SurfaceEvent event{std::string(kKeyboard), KeyControl{key}, is_down ? 1 : 0};
    stage_.obey(core_.handle(event, stage_.scene(), now_));
  }
  void send_osc(const OscMessage& message) {
    stage_.obey(core_.handle(event_of(message).value(), stage_.scene(), now_));
  }
  std::size_t turn(int value) { return send({0xb0, 7, static_cast<std::uint8_t>(value)}); }
  void wait(std::chrono::milliseconds time = 1s) { now_ += time; }
  [[nodiscard]] std::vector<MidiBytes> told() {
    std::vector<MidiBytes> messages;
    for (auto& output : core_.feedback(stage_.scene(), now_))
      messages.push_back(std::move(output.bytes));
    return messages;
  }

  sample::Stage stage_;
  MappingCore core_;
  LocalTime now_ = LocalTime(1h);
};

TEST_F(MappingCoreTest, MovesATargetOverItsRange) {
  Mapping mapping{kDevice, MidiControl{Kind::cc, 1, 7}, kBlur, 0.25, 0.75};
  mapping.is_soft = false;
  map(mapping);
  EXPECT_EQ(turn(127), 1U);
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.75);
  turn(0);
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.25);
}

TEST_F(MappingCoreTest, MovesATargetTheOtherWayRound) {
  Mapping mapping{kDevice, MidiControl{Kind::cc, 1, 7}, kBlur, 1, 0};
  mapping.is_soft = false;
  map(mapping);
  turn(127);
  EXPECT_DOUBLE_EQ(stage_.blur(), 0);
}

TEST_F(MappingCoreTest, LeavesOtherControlsAndDevicesAlone) {
  map_blur();
  EXPECT_EQ(send({0xb1, 7, 100}), 0U) << "another channel";
  EXPECT_EQ(send({0xb0, 8, 100}), 0U);
  EXPECT_TRUE(
      core_.handle(*event_of("other", MidiBytes{0xb0, 7, 100}), stage_.scene(), now_).empty());
}

TEST_F(MappingCoreTest, KeepsAMappingWhoseTargetIsGone) {
  map_blur();
  const auto show = std::exchange(stage_.view().show, nullptr);
  EXPECT_EQ(turn(100), 0U);
  EXPECT_TRUE(told().empty());
  stage_.view().show = show;
  EXPECT_EQ(turn(100), 1U);
}

// Soft take-over.

TEST_F(MappingCoreTest, ASoftControlMovesNothingUntilItHasMetItsTarget) {
  map_blur(true);
  EXPECT_EQ(turn(10), 0U);
  EXPECT_EQ(turn(40), 0U);
  EXPECT_EQ(core_.distance(0, stage_.scene(), now_), MappingCore::Distance::turn_up);
  EXPECT_EQ(turn(63), 1U);
  EXPECT_EQ(turn(100), 1U) << "from then on it leads";
  EXPECT_EQ(core_.distance(0, stage_.scene(), now_), MappingCore::Distance::none);
}

TEST_F(MappingCoreTest, ASoftControlThatPassesItsTargetHasMetIt) {
  map_blur(true);
  EXPECT_EQ(turn(10), 0U);
  EXPECT_EQ(turn(120), 1U);
}

TEST_F(MappingCoreTest, ASoftControlHasToMeetATargetAgainThatWasMovedElsewhere) {
  map_blur(true);
  turn(64);
  wait();
  EXPECT_EQ(turn(70), 1U) << "nobody else has moved it";
  wait();
  stage_.set_blur(0.1);
  EXPECT_EQ(turn(72), 0U);
  EXPECT_EQ(core_.distance(0, stage_.scene(), now_), MappingCore::Distance::turn_down);
}

TEST_F(MappingCoreTest, ASoftControlLeadsWhileItsOwnEditsAreNotSeenYet) {
  map_blur(true);
  turn(64);
  const auto orders =
      core_.handle(*event_of(kDevice, MidiBytes{0xb0, 7, 90}), stage_.scene(), now_);
  EXPECT_EQ(orders.size(), 1U);
  EXPECT_EQ(turn(100), 1U);
}

// 14 bit.

TEST_F(MappingCoreTest, APairActsAsOneFineControl) {
  map_pair();
  EXPECT_EQ(send({0xb0, 7, 64}), 1U) << "until a fine half was seen the coarse one acts";
  EXPECT_EQ(send({0xb0, 39, 1}), 1U);
  EXPECT_DOUBLE_EQ(stage_.blur(), (64.0 * 128 + 1) / 16383);
}

TEST_F(MappingCoreTest, ACoarseHalfAloneActsWhenItHasWaited) {
  map_pair();
  send({0xb0, 7, 64});
  send({0xb0, 39, 1});
  wait();
  EXPECT_EQ(send({0xb0, 7, 10}), 0U);
  EXPECT_EQ(core_.take_due(stage_.scene(), now_).size(), 0U);
  wait();
  stage_.obey(core_.take_due(stage_.scene(), now_));
  EXPECT_DOUBLE_EQ(stage_.blur(), 10.0 * 128 / 16383);
}

TEST_F(MappingCoreTest, AFineHalfBeforeAnyCoarseOneMovesNothing) {
  map_pair();
  EXPECT_EQ(send({0xb0, 39, 100}), 0U);
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.5);
}

TEST_F(MappingCoreTest, ABendIsFine) {
  Mapping mapping{kDevice, MidiControl{Kind::bend, 1, 0}, kBlur};
  mapping.is_soft = false;
  map(mapping);
  send({0xe0, 1, 64});
  EXPECT_DOUBLE_EQ(stage_.blur(), 8193.0 / 16383);
}

// Keys and endless knobs.

TEST_F(MappingCoreTest, AKeyTurnsABypassOver) {
  Mapping mapping{kDevice, MidiControl{Kind::note, 1, 60}, BypassTarget{{"left", "glow"}}};
  mapping.response = Response::toggle;
  map(mapping);
  const auto is_bypassed = [&] {
    return stage_.view().show->find_slot({"left", "glow"})->is_bypassed;
  };
  send({0x90, 60, 100});
  EXPECT_TRUE(is_bypassed());
  send({0x80, 60, 0});
  EXPECT_TRUE(is_bypassed());
  send({0x90, 60, 100});
  EXPECT_FALSE(is_bypassed());
}

TEST_F(MappingCoreTest, TwoQuickPressesTurnItOverTwice) {
  Mapping mapping{kDevice, MidiControl{Kind::note, 1, 60}, TransportTarget::pause};
  mapping.response = Response::toggle;
  map(mapping);
  const MidiBytes press{0x90, 60, 100};
  const auto first = core_.handle(*event_of(kDevice, press), stage_.scene(), now_);
  // The first edit is not visible yet.
  const auto second = core_.handle(*event_of(kDevice, press), stage_.scene(), now_);
  EXPECT_TRUE(std::get<session::SetPaused>(first.at(0)).is_paused);
  EXPECT_FALSE(std::get<session::SetPaused>(second.at(0)).is_paused);
}

TEST_F(MappingCoreTest, AKeyHoldsWhileItIsDown) {
  Mapping mapping{kDevice, MidiControl{Kind::note, 1, 60}, TransportTarget::pause};
  mapping.response = Response::momentary;
  map(mapping);
  send({0x90, 60, 1});
  EXPECT_TRUE(stage_.view().transport.is_paused);
  send({0x80, 60, 0});
  EXPECT_FALSE(stage_.view().transport.is_paused);
}

TEST_F(MappingCoreTest, AKeyStepsOncePerPress) {
  map({kDevice, MidiControl{Kind::note, 1, 60}, TransportTarget::step});
  EXPECT_EQ(send({0x90, 60, 1}), 1U);
  EXPECT_EQ(send({0x80, 60, 0}), 0U);
}

TEST_F(MappingCoreTest, AnEndlessKnobGoesUpAndDown) {
  Mapping mapping{kDevice, MidiControl{Kind::cc, 1, 7}, kBlur};
  mapping.response = Response::relative;
  map(mapping);
  turn(3);
  EXPECT_NEAR(stage_.blur(), 0.5 + 3.0 / 127, 1e-9);
  turn(127);
  EXPECT_NEAR(stage_.blur(), 0.5 + 2.0 / 127, 1e-9);
}

TEST_F(MappingCoreTest, AnEndlessKnobTurnsASwitchByOneStep) {
  Mapping mapping{kDevice, MidiControl{Kind::cc, 1, 7}, BypassTarget{{"left", "glow"}}};
  mapping.response = Response::relative;
  map(mapping);
  const auto is_bypassed = [&] {
    return stage_.view().show->find_slot({"left", "glow"})->is_bypassed;
  };
  turn(1);
  EXPECT_TRUE(is_bypassed());
  turn(127);
  EXPECT_FALSE(is_bypassed());
}

TEST_F(MappingCoreTest, AnEndlessKnobGoesThroughAllChoices) {
  Mapping mapping{kDevice, MidiControl{Kind::cc, 1, 7}, ParameterTarget{{"left", "clip"}, "mode"}};
  mapping.response = Response::relative;
  map(mapping);
  const auto mode = [&] {
    return std::get<std::string>(
        stage_.view().show->find_slot({"left", "clip"})->parameters.at("mode"));
  };
  turn(1);
  EXPECT_EQ(mode(), "loop");
  turn(1);
  EXPECT_EQ(mode(), "bounce");
  turn(127);
  EXPECT_EQ(mode(), "loop");
}

TEST_F(MappingCoreTest, ABendIsNoEndlessKnob) {
  Mapping mapping{kDevice, MidiControl{Kind::bend, 1, 0}, kBlur};
  mapping.response = Response::relative;
  mapping.is_soft = false;
  map(mapping);
  send({0xe0, 0, 0});
  EXPECT_DOUBLE_EQ(stage_.blur(), 0) << "it says where it stands";
  EXPECT_FALSE(is_possible(Response::relative, MidiControl{Kind::cc14, 1, 7}));
}

// Learning.

TEST_F(MappingCoreTest, LearnsTheControlThatMoves) {
  core_.learn(kBlur);
  EXPECT_EQ(turn(5), 0U) << "what is learnt moves nothing yet";
  EXPECT_FALSE(core_.finish_learning(stage_.scene(), now_)) << "a fine half may come";
  wait(100ms);
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  EXPECT_EQ(core_.learning(), nullptr);
  ASSERT_EQ(core_.mappings().size(), 1U);
  EXPECT_EQ(core_.mappings()[0], (Mapping{kDevice, MidiControl{Kind::cc, 1, 7}, kBlur}));
}

TEST_F(MappingCoreTest, LearnsAPairAsFine) {
  core_.learn(kBlur);
  turn(5);
  send({0xb0, 39, 5});
  EXPECT_TRUE(core_.finish_learning(stage_.scene(), now_));
  EXPECT_EQ(core_.mappings()[0].control, SurfaceControl(MidiControl{Kind::cc14, 1, 7}));
}

TEST_F(MappingCoreTest, LearnsAPairWhoseFineHalfComesFirst) {
  core_.learn(kBlur);
  send({0xb0, 39, 5});
  EXPECT_FALSE(core_.finish_learning(stage_.scene(), now_)) << "a coarse half may come";
  turn(5);
  wait();
  EXPECT_TRUE(core_.finish_learning(stage_.scene(), now_));
  EXPECT_EQ(core_.mappings()[0].control, SurfaceControl(MidiControl{Kind::cc14, 1, 7}));
}

TEST_F(MappingCoreTest, LearnsAKeyAsASwitch) {
  core_.learn(BypassTarget{{"left", "glow"}});
  send({0x80, 60, 0});
  EXPECT_FALSE(core_.finish_learning(stage_.scene(), now_))
      << "a key that is let go is none that is pressed";
  send({0x90, 60, 1});
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  EXPECT_EQ(core_.mappings()[0].response, Response::toggle);
}

TEST_F(MappingCoreTest, LearnsATargetAnew) {
  map_blur();
  core_.learn(kBlur);
  send({0xb0, 100, 5});
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  ASSERT_EQ(core_.mappings().size(), 1U);
  EXPECT_EQ(core_.mappings()[0].control, SurfaceControl(MidiControl{Kind::cc, 1, 100}));
}

TEST_F(MappingCoreTest, LearnsNothingAfterItWasStopped) {
  core_.learn(kBlur);
  turn(5);
  core_.stop_learning();
  wait();
  EXPECT_FALSE(core_.finish_learning(stage_.scene(), now_));
}

// Feedback.

TEST_F(MappingCoreTest, TellsADeviceWhereItsTargetsStand) {
  map_blur();
  EXPECT_EQ(told(), (std::vector<MidiBytes>{{0xb0, 7, 64}}));
  EXPECT_TRUE(told().empty()) << "once";
  stage_.set_blur(1);
  EXPECT_EQ(told(), (std::vector<MidiBytes>{{0xb0, 7, 127}}));
}

TEST_F(MappingCoreTest, DoesNotPullAtAFaderUnderAHand) {
  map_blur();
  turn(100);
  stage_.set_blur(0);
  EXPECT_TRUE(told().empty());
  wait();
  EXPECT_EQ(told(), (std::vector<MidiBytes>{{0xb0, 7, 0}}));
}

TEST_F(MappingCoreTest, DoesNotTellADeviceWhatItHasSaidItself) {
  map_blur();
  turn(100);
  wait();
  EXPECT_TRUE(told().empty());
}

TEST_F(MappingCoreTest, TellsADeviceThatIsBackEverythingAgain) {
  map_blur();
  ASSERT_EQ(told().size(), 1U);
  core_.device_came(kDevice);
  EXPECT_EQ(told().size(), 1U);
}

TEST_F(MappingCoreTest, TellsADeviceAgainWhatCouldNotBeSent) {
  map_blur();
  core_.not_told({kDevice, told().at(0)});
  EXPECT_EQ(told().size(), 1U);
  EXPECT_TRUE(told().empty());
}

TEST(Response, IsTheSameAfterItWasText) {
  for (const auto response :
       {Response::absolute, Response::toggle, Response::momentary, Response::relative})
    EXPECT_EQ(parse_response(to_string(response)), response);
  EXPECT_FALSE(parse_response("togle"));
}

TEST_F(MappingCoreTest, AButtonOfASwitchActsAtItsFirstPress) {
  core_.learn(TransportTarget::black);
  turn(127);
  wait(100ms);
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  turn(0);
  turn(127);
  EXPECT_TRUE(stage_.view().transport.is_black) << "there is no position between to be met";
}

// Keys and OSC.

TEST_F(MappingCoreTest, LearnsAKeyThatSwitchesOverAtEachPress) {
  core_.learn(TransportTarget::black);
  press("Shift+B", false);
  EXPECT_FALSE(core_.finish_learning(stage_.scene(), now_)) << "the end of an earlier press";
  press("Shift+B");
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  press("Shift+B", false);
  press("Shift+B");
  EXPECT_TRUE(stage_.view().transport.is_black);
  press("Shift+B", false);
  EXPECT_TRUE(stage_.view().transport.is_black);
  press("Shift+B");
  EXPECT_FALSE(stage_.view().transport.is_black);
  press("B");
  EXPECT_FALSE(stage_.view().transport.is_black) << "another key";
}

TEST_F(MappingCoreTest, AKeyHoldsANumberUp) {
  core_.learn(kBlur);
  press("B");
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  press("B");
  EXPECT_EQ(stage_.blur(), 1);
  press("B", false);
  EXPECT_EQ(stage_.blur(), 0);
}

TEST_F(MappingCoreTest, LearnsAnOscAddress) {
  core_.learn(kBlur);
  send_osc({"/1/fader3", {0.2F}});
  ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  const auto mapping = core_.mappings().at(0);
  EXPECT_EQ(mapping.control, SurfaceControl(OscControl{"/1/fader3"}));
  EXPECT_TRUE(mapping.is_soft);
  send_osc({"/1/fader3", {0.25F}});
  EXPECT_EQ(stage_.blur(), 0.5) << "not yet met";
  send_osc({"/1/fader3", {0.75F}});
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.75);
  send_osc({"/1/fader4", {0.1F}});
  EXPECT_DOUBLE_EQ(stage_.blur(), 0.75);
  EXPECT_TRUE(told().empty()) << "only MIDI devices are told";
}

TEST_F(MappingCoreTest, AKeyAFaderAndAnAddressShareATarget) {
  for (const auto& learn :
       {std::function<void()>([this] { press("B"); }), std::function<void()>([this] { turn(5); }),
        std::function<void()>([this] { send_osc({"/b", {1.0F}}); }),
        std::function<void()>([this] { press("C"); })}) {
    core_.learn(kBlur);
    learn();
    wait(100ms);
    ASSERT_TRUE(core_.finish_learning(stage_.scene(), now_));
  }
  ASSERT_EQ(core_.mappings().size(), 3U) << "one of each surface";
  EXPECT_EQ(core_.mappings()[2].control, SurfaceControl(KeyControl{"C"}));
}

}  // namespace
}  // namespace submix::input
