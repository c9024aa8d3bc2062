// SPDX-License-Identifier: GPL-3.0-or-later
// Real MIDI messages through RtMidi and a JACK server without a sound card, if JACK can be started.
#include "common/base/child_process.hpp"
#include "common/base/mutex.hpp"
#include "controller/input/rtmidi_ports.hpp"
#include "tests/input/until.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <rtmidi/RtMidi.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <optional>

namespace submix::input {
namespace {

class JackMidiTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access("/dev/snd/seq", F_OK) == 0)
      GTEST_SKIP() << "this machine has an ALSA sequencer, so RtMidiPorts does not use JACK";
    const auto name = "submix-test-" + std::to_string(::getpid());
    ::setenv("JACK_DEFAULT_SERVER", name.c_str(), 1);
    start_server();
  }
  void TearDown() override { stop_server(); }

  void start_server() {
    const auto name = std::string(std::getenv("JACK_DEFAULT_SERVER"));
    // JACK drops a program that was late for half a second unless it is told otherwise.
    auto started = ChildProcess::start(
        {"jackd", "--no-realtime", "--timeout", "5000", "-n", name, "-d", "dummy", "-p", "256"},
        folder_ / "jackd.log");
    if (!started) GTEST_SKIP() << "no jackd: " << started.error().message;
    server_.emplace(*std::move(started));
    ports_.start([this](const std::string& device, const MidiBytes& bytes) {
      MutexLock lock(mutex_);
      device_ = device;
      bytes_ = bytes;
    });
    if (!comes_true([&] { return ports_.scan().system == "JACK" || server_->exit_status(); }) ||
        server_->exit_status())
      GTEST_SKIP() << "jackd does not run here";
  }
  void stop_server() {
    if (!server_) return;
    server_->send_signal(SIGTERM);
    EXPECT_TRUE(comes_true([&] { return server_->exit_status().has_value(); }));
    server_.reset();
  }
  [[nodiscard]] std::optional<MidiDevice> knobs() {
    for (const auto& device : ports_.scan().devices) {
      if (device.name == "knobs:out") return device;
    }
    return std::nullopt;
  }
  [[nodiscard]] MidiBytes received() {
    MutexLock lock(mutex_);
    return bytes_;
  }

  /// A device of another program.
  struct Knobs {
    Knobs() : out(RtMidi::UNIX_JACK, "knobs"), in(RtMidi::UNIX_JACK, "knobs") {
      out.openVirtualPort("out");
      in.openVirtualPort("in");
    }
    void turn(unsigned char value) {
      const MidiBytes bytes{0xb0, 7, value};
      out.sendMessage(&bytes);
    }
    RtMidiOut out;
    RtMidiIn in;
  };

  const ::submix::testing::TemporaryFolder folder_;
  std::optional<ChildProcess> server_;
  RtMidiPorts ports_;
  Mutex mutex_;
  std::string device_ SUBMIX_GUARDED_BY(mutex_);
  MidiBytes bytes_ SUBMIX_GUARDED_BY(mutex_);
};

TEST_F(JackMidiTest, HearsADeviceThatIsPluggedInOutAndInAgain) {
  for (unsigned char value = 100; value < 102; ++value) {
    {
      Knobs device;
      ASSERT_TRUE(comes_true([&] { return knobs().has_value(); }));
      EXPECT_EQ(knobs()->trouble, "");
      ASSERT_TRUE(comes_true([&] { return knobs()->can_be_told; }));
      ASSERT_TRUE(comes_true([&] {
        device.turn(value);
        return received() == MidiBytes({0xb0, 7, value});
      }));
      ports_.send("knobs:out", {0xb0, 7, 33});
      MidiBytes told;
      EXPECT_TRUE(comes_true(
          [&] { return (device.in.getMessage(&told), told) == MidiBytes({0xb0, 7, 33}); }));
    }
    EXPECT_TRUE(comes_true([&] { return !knobs(); }));
  }
}

TEST_F(JackMidiTest, HearsADeviceThatWasAwayBetweenTwoLooks) {
  std::optional<Knobs> device(std::in_place);
  ASSERT_TRUE(comes_true([&] { return knobs().has_value(); }));
  const int openings = knobs()->openings;
  device.reset();
  device.emplace();  // no scan ran in the meantime
  EXPECT_TRUE(comes_true([&] {
    device->turn(42);
    return knobs() && received() == MidiBytes({0xb0, 7, 42});
  }));
  EXPECT_GT(knobs()->openings, openings) << "so that it is told everything anew";
}

TEST_F(JackMidiTest, HearsDevicesOfAServerThatWasStartedAgain) {
  stop_server();
  EXPECT_TRUE(comes_true([&] { return ports_.scan().system.empty(); }));
  EXPECT_FALSE(ports_.scan().reason.empty());
  start_server();
  Knobs device;
  EXPECT_TRUE(comes_true([&] { return knobs().has_value(); }));
}

TEST(RtMidiPorts, SayWhyThereIsNoMidi) {
  if (::access("/dev/snd/seq", F_OK) == 0) GTEST_SKIP() << "this machine has an ALSA sequencer";
  ::setenv("JACK_DEFAULT_SERVER", "nobody-runs-this", 1);
  ::testing::internal::CaptureStderr();
  RtMidiPorts ports;
  const auto scan = ports.scan();
  EXPECT_EQ(scan.system, "");
  EXPECT_NE(scan.reason.find("nor a JACK server"), std::string::npos);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "libraries are to be silent";
}

}  // namespace
}  // namespace submix::input
