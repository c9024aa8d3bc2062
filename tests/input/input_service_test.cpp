// SPDX-License-Identifier: GPL-3.0-or-later
// The input service with its threads and a real session: OSC from liblo's own client over UDP, MIDI
// from fake ports.
#include "tests/input/input_service_bench.hpp"

#include "common/base/files.hpp"
#include "tests/input/osc_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <thread>

namespace submix::input {
namespace {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using testing::OscClient;
using InputServiceTest = InputServiceBench;

TEST_F(InputServiceTest, MovesAParameterByOscAndLeavesNothingToUndo) {
  OscClient client(osc());
  client.send("/submix/left/glow/Blur", "f", 0.75);
  EXPECT_TRUE(until([&] { return blur() == 0.75; }));
  EXPECT_THAT(session_->view()->edit.undo_title, IsEmpty());
}

TEST_F(InputServiceTest, PausesStepsBypassesAndAssignsByOsc) {
  OscClient client(osc());
  client.send("/transport/pause", "i", 1);
  EXPECT_TRUE(until([&] { return session_->view()->transport.is_paused; }));
  client.send("/transport/step", "");
  EXPECT_TRUE(until([&] { return session_->view()->transport.steps == 1; }));
  client.send("/bypass/left/glow", "T");
  EXPECT_TRUE(
      until([&] { return session_->view()->show->find_slot({"left", "glow"})->is_bypassed; }));
  client.send("/assign/left", "s", "rack2");
  EXPECT_TRUE(until([&] { return session_->view()->show->find_submix("left")->node == "rack2"; }));
}

TEST_F(InputServiceTest, SetsTheShowsTempoByOsc) {
  OscClient client(osc());
  client.send("/tempo", "f", 133.5);
  EXPECT_TRUE(until([&] { return session_->view()->show->tempo.beats_per_minute == 133.5; }));
}

/// A show whose node "rack1" listens to music of 124 beats a minute; the show has 120.
class FollowingMusic : public InputServiceBench {
 protected:
  FollowingMusic() {
    auto show = model::sample::show();
    show.sound.node = "rack1";
    cluster_->say(session::ShowUpdate{{show::to_toml(show), "somebody"}, 2});
    cluster_->set_revision(2);
    cluster_->say(session::ClockUpdate{kOffset});
    begin_ = clock_.now();
  }
  [[nodiscard]] static constexpr double beat_s() { return 60.0 / 124.0; }
  /// Seconds of the music.
  [[nodiscard]] double played() const {
    return std::chrono::duration<double>(clock_.now() - begin_).count();
  }
  /// One reading of the node.
  void hear() {
    auto reading = model::sample::sender(++readings_);
    const std::chrono::duration<double> beat(std::floor(played() / beat_s()) * beat_s());
    const auto last_beat = begin_ + std::chrono::duration_cast<std::chrono::nanoseconds>(beat);
    reading.sound = {true, {}, "", {124.0, 0.6, last_beat.time_since_epoch() + kOffset}};
    cluster_->say(reading);
    std::this_thread::sleep_for(100ms);
  }
  [[nodiscard]] double tempo() const { return session_->view()->show->tempo.beats_per_minute; }

  static constexpr std::chrono::nanoseconds kOffset = 1000h;
  LocalTime begin_{};
  std::uint64_t readings_ = 1;
};

TEST_F(FollowingMusic, BringsItsTempoAndBeatIntoTheShowWithoutAnythingToUndo) {
  ASSERT_TRUE(input_->post(FollowMusic{}));
  EXPECT_TRUE(until([&] {
    hear();
    return tempo() == 124.0;
  })) << input_->view()->music.text;
  EXPECT_TRUE(until([&] { return input_->view()->music.follows; }));
  EXPECT_THAT(session_->view()->edit.undo_title, IsEmpty());
  const auto now = clock_.now();
  const auto show_time = now.time_since_epoch() + kOffset + 1s;  // the change is announced
  const double beats = show::moment_at(session_->view()->show->tempo, show_time).beats;
  const double heard = std::chrono::duration<double>(now + 1s - begin_).count() / beat_s();
  EXPECT_NEAR(std::remainder(beats - heard, 1.0), 0.0, 0.02);
}

TEST_F(FollowingMusic, IsNotEvenLookedAtWhileItIsOff) {
  for (int i = 0; i < 4; ++i)
    hear();
  EXPECT_EQ(input_->view()->music, MusicView());
  ASSERT_TRUE(input_->post(FollowMusic{}));
  EXPECT_TRUE(until([&] {
    hear();
    return input_->view()->music.text == "hears 124, waits until it is steady";
  })) << input_->view()->music.text;
}

TEST_F(InputServiceTest, SaysWhyItFollowsNoMusicAndRemembersTheSwitch) {
  cluster_->say(session::ClockUpdate{1000h});
  ASSERT_TRUE(input_->post(FollowMusic{}));
  EXPECT_TRUE(until([&] {
    return input_->view()->music.text == "no PC listens: choose a sound in Show settings";
  }));
  start();
  EXPECT_TRUE(until([&] { return input_->view()->music.is_on; }));
  ASSERT_TRUE(input_->post(FollowMusic{false}));
  EXPECT_TRUE(until([&] { return input_->view()->music == MusicView(); }));
}

TEST_F(InputServiceTest, AnswersGetAtTheSendersAddress) {
  OscClient client(osc());
  client.send("/get", "s", "/submix/left/glow/Blur");
  EXPECT_EQ(client.wait_for("/submix/left/glow/Blur"), "0.500000");
  client.send("/submix/left/clip/speed/value", "");
  EXPECT_EQ(client.wait_for("/submix/left/clip/speed/value"), "1.000000");
}

TEST_F(InputServiceTest, SaysWhatItDoesNotKnowToTheSenderAndOnceToPeople) {
  OscClient client(osc());
  client.send("/submix/left/glow/Blru", "f", 0.5);
  client.send("/submix/left/glow/Blru", "f", 0.6);
  EXPECT_EQ(client.wait_for("/error"), "/submix/left/glow/Blru");
  EXPECT_EQ(client.wait_for("/error"), "/submix/left/glow/Blru");
  EXPECT_TRUE(until([&] { return is_said("did you mean \"Blur\""); }));
  EXPECT_EQ(std::ranges::count_if(session_->view()->events,
                                  [](const auto& event) { return event.event.about == "OSC"; }),
            1);
}

TEST_F(InputServiceTest, TellsSubscribersWhatOthersMove) {
  OscClient mover(osc());
  OscClient watcher(osc());
  watcher.send("/subscribe", "s", "/submix/left/glow/Blur");
  EXPECT_EQ(watcher.wait_for("/submix/left/glow/Blur"), "0.500000");
  mover.send("/submix/left/glow/Blur", "f", 0.25);
  EXPECT_EQ(watcher.wait_for("/submix/left/glow/Blur"), "0.250000");
  ASSERT_TRUE(
      session_->post(session::EditShow{model::SetParameter{{"left", "glow"}, "Blur", 0.125}}));
  EXPECT_EQ(watcher.wait_for("/submix/left/glow/Blur"), "0.125000") << "from the window, too";
}

TEST_F(InputServiceTest, EndsAFloodAtItsLastValueWithFewEdits) {
  OscClient client(osc());
  const auto before = session_->view()->show_revision;
  for (int i = 1; i <= 2000; ++i)
    client.send("/submix/left/glow/Blur", "f", i / 4000.0);
  EXPECT_TRUE(until([&] {
    // UDP may lose a datagram while the socket is full
    client.send("/submix/left/glow/Blur", "f", 1.0);
    return blur() == 1.0;
  }));
  EXPECT_LT(session_->view()->show_revision - before, 200U);
}

TEST_F(InputServiceTest, GoesOnAfterGarbage) {
  OscClient client(osc());
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    std::string bytes(random() % 64, '\0');
    for (auto& byte : bytes)
      byte = static_cast<char>(random());
    client.send_bytes("/" + bytes);
  }
  EXPECT_TRUE(until([&] {
    // UDP may lose a datagram while the socket is full
    client.send("/submix/left/glow/Blur", "f", 0.75);
    return blur() == 0.75;
  }));
}

TEST_F(InputServiceTest, WritesNoOptionIntoTheSettings) {
  input_.reset();
  const auto taken = OscPeer{"127.0.0.1", 9};
  start([&](InputOptions& options) { options.osc_receivers = {taken}; });
  auto osc = input_->view()->osc;
  EXPECT_THAT(osc.receivers, ::testing::ElementsAre(taken));
  osc.receivers.push_back({"127.0.0.1", 10});
  ASSERT_TRUE(input_->post(SetOsc{osc}));
  ASSERT_TRUE(until([&] { return input_->view()->osc.receivers.size() == 2; }));
  input_.reset();
  const auto saved = SettingsFile(folder_ / "control.toml").load().settings.osc;
  EXPECT_THAT(saved.receivers, ::testing::ElementsAre(OscPeer{"127.0.0.1", 10}));
  EXPECT_EQ(saved.port, kOscPort) << "--osc 0 is not written either";
}

TEST_F(InputServiceTest, ShowsNobodyWhatWouldSteerATerminal) {
  OscClient client(osc());
  client.send("/submix/left/glow/Blur", "s", "\x1b[2J");
  EXPECT_TRUE(until([&] {
    const auto view = input_->view();
    return !view->heard.empty() && view->heard.back().text.find("\\x1b[2J") != std::string::npos;
  }));
}

TEST_F(InputServiceTest, ListensWhereNobodyElseDoes) {
  InputOptions options;
  options.is_osc_on = true;
  options.osc_port = parse_peer(osc())->port;
  const InputService second(
      *session_, clock_, [this] { return std::make_unique<FakePorts>(devices_); },
      std::move(options));
  EXPECT_TRUE(until([&] { return !second.view()->osc_trouble.empty(); }));
  EXPECT_TRUE(until([&] { return is_said("another program has it, another controller perhaps"); }));
  OscClient client(osc());
  client.send("/submix/left/glow/Blur", "f", 0.75);
  EXPECT_TRUE(until([&] { return blur() == 0.75; }));
}

TEST_F(InputServiceTest, LearnsAControlThatThenMovesItsTarget) {
  learn_blur();
  devices_.send({0xb0, 7, 64});  // meets the present value 0.5
  devices_.send({0xb0, 7, 127});
  EXPECT_TRUE(until([&] { return blur() == 1.0; }));
  EXPECT_THAT(session_->view()->edit.undo_title, IsEmpty());
  EXPECT_TRUE(until([&] {
    return input_->view()->heard.back().text.find("nano: channel 1 cc 7 = 127") !=
           std::string::npos;
  }));
}

// BLACK-OUT and GO had got the same key by mistake, and nothing said so.
TEST_F(InputServiceTest, SaysWhatItHasLearntAndWhatElseTheControlMoves) {
  learn_blur();
  EXPECT_TRUE(until([&] { return is_said("cc 7 of nano moves left.glow.Blur now"); }));
  EXPECT_FALSE(is_said("as before"));
  ASSERT_TRUE(input_->post(Learn{TransportTarget::black}));
  ASSERT_TRUE(until([&] { return input_->view()->learning.has_value(); }));
  devices_.send({0xb0, 7, 1});
  EXPECT_TRUE(until([&] {
    return is_said(
        "cc 7 of nano moves BLACK-OUT now, and left.glow.Blur as before; the page Control");
  }));
}

TEST_F(InputServiceTest, LearnsAKeyThatKeepsItsTargetFromOneStartToTheNext) {
  const KeyControl letter{"B"};
  ASSERT_TRUE(input_->post(Learn{TransportTarget::black}));
  ASSERT_TRUE(input_->post(PressKey{letter, true}));
  EXPECT_TRUE(until([&] { return is_said("the key B moves BLACK-OUT now"); }));
  ASSERT_TRUE(input_->post(PressKey{letter, false}));
  start();
  ASSERT_EQ(input_->view()->mappings.size(), 1U);
  EXPECT_TRUE(input_->view()->mappings[0].is_device_here);
  ASSERT_TRUE(input_->post(PressKey{{"C"}, true}));
  ASSERT_TRUE(input_->post(PressKey{letter, true}));
  EXPECT_TRUE(until([&] { return session_->view()->transport.is_black; }));
  EXPECT_TRUE(until([&] { return input_->view()->heard.size() == 1; }))
      << "no word of keys that are nobody's";
}

TEST_F(InputServiceTest, LearnsAnAddressOfAnOscProgram) {
  OscClient tablet(osc());
  tablet.send("/1/push", "f", 1.0);
  EXPECT_EQ(tablet.wait_for("/error"), "/1/push") << "it means nothing yet";
  ASSERT_TRUE(input_->post(Learn{TransportTarget::freeze}));
  ASSERT_TRUE(until([&] { return input_->view()->learning.has_value(); }));
  tablet.send("/1/push", "f", 1.0);
  EXPECT_TRUE(until([&] { return is_said("OSC's /1/push moves FREEZE now"); }));
  tablet.send("/1/push", "f", 1.0);
  EXPECT_TRUE(until([&] { return session_->view()->transport.is_frozen; }));
  tablet.send("/1/push", "f", 0.0);
  EXPECT_TRUE(until([&] { return !session_->view()->transport.is_frozen; }));
}

TEST_F(InputServiceTest, TapsTheTempo) {
  OscClient tablet(osc());
  const auto tempo = [this] { return session_->view()->show->tempo.beats_per_minute; };
  const auto before = tempo();
  for (int i = 0; i < 4; ++i) {
    tablet.send("/tap", "");
    std::this_thread::sleep_for(200ms);
  }
  EXPECT_TRUE(until([&] { return tempo() != before; }));
  EXPECT_GT(tempo(), 30) << "about 300";
}

TEST_F(InputServiceTest, TellsADeviceWhatOthersMove) {
  learn_blur();
  ASSERT_TRUE(until([&] { return !devices_.told().empty(); }));
  ASSERT_TRUE(
      session_->post(session::EditShow{model::SetParameter{{"left", "glow"}, "Blur", 1.0}}));
  EXPECT_TRUE(until([&] { return devices_.told().back() == MidiBytes({0xb0, 7, 127}); }));
}

TEST_F(InputServiceTest, KeepsMappingsWhileADeviceIsAwayAndFromOneStartToTheNext) {
  learn_blur();
  devices_.plug({});
  EXPECT_TRUE(until([&] { return is_said("nano is gone; its mappings wait for it"); }));
  EXPECT_TRUE(until([&] { return !input_->view()->mappings.at(0).is_device_here; }));
  devices_.plug({{"nano", true}});
  EXPECT_TRUE(until([&] { return input_->view()->mappings.at(0).is_device_here; }));
  start();
  ASSERT_EQ(input_->view()->mappings.size(), 1U);
  devices_.send({0xb0, 7, 64});
  devices_.send({0xb0, 7, 0});
  EXPECT_TRUE(until([&] { return blur() == 0.0; }));
}

TEST_F(InputServiceTest, ChangesAndRemovesAMapping) {
  learn_blur();
  const auto learnt = input_->view()->mappings.at(0).mapping;
  auto changed = learnt;
  changed.to = 0.5;
  changed.is_soft = false;
  ASSERT_TRUE(input_->post(ChangeMapping{learnt, changed}));
  ASSERT_TRUE(until([&] { return input_->view()->mappings.at(0).mapping == changed; }));
  ASSERT_TRUE(input_->post(ChangeMapping{changed, std::nullopt}));
  EXPECT_TRUE(until([&] { return input_->view()->mappings.empty(); }));
}

TEST_F(InputServiceTest, TurnsOscAndMidiOffAndOn) {
  auto osc = input_->view()->osc;
  osc.is_on = false;
  ASSERT_TRUE(input_->post(SetOsc{osc}));
  ASSERT_TRUE(input_->post(TurnMidi{false}));
  EXPECT_TRUE(until([&] { return this->osc().empty() && input_->view()->midi.devices.empty(); }));
  osc.is_on = true;
  ASSERT_TRUE(input_->post(SetOsc{osc}));
  ASSERT_TRUE(input_->post(TurnMidi{true}));
  EXPECT_TRUE(until([&] { return !this->osc().empty() && !input_->view()->midi.devices.empty(); }));
}

TEST_F(InputServiceTest, SaysThatItsSettingsAreBrokenAndKeepsThem) {
  input_.reset();
  ASSERT_TRUE(write_file_atomically(folder_ / "control.toml", "[midi\n"));
  start();
  EXPECT_TRUE(until([&] { return is_said("control.toml: line 1"); }));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "control.toml.broken-1"));
  learn_blur();
  input_.reset();
  EXPECT_TRUE(until([&] { return is_said("the broken file is kept as"); }));
  EXPECT_EQ(read_text_file(folder_ / "control.toml.broken-1"), "[midi\n");
  EXPECT_EQ(SettingsFile(folder_ / "control.toml").load().settings.mappings.size(), 1U);
}

TEST_F(InputServiceTest, WarnsWhereAFileOfSettingsTurnsOscOn) {
  EXPECT_FALSE(is_said("OSC has no key")) << "somebody asked for it";
  auto settings = InputSettings();
  settings.osc.is_on = true;
  settings.osc.port = 0;
  input_.reset();
  ASSERT_TRUE(SettingsFile(folder_ / "control.toml").save(settings));
  start([](InputOptions& options) { options.is_osc_on = {}; });
  EXPECT_TRUE(until([&] { return is_said("control.toml says so: OSC has no key"); }));
}

}  // namespace
}  // namespace submix::input
