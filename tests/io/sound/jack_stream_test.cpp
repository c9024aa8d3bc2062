// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/jack_stream.hpp"

#include "node/io/sound/sound_device.hpp"
#include "node/io/sound/sound_listening.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/io/sound/heard_sound.hpp"
#include "tests/io/sound/private_jack.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/open_descriptors.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace submix::io {
namespace {

using ::testing::ElementsAre;
using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Samples;

float loudest(const Samples& samples) {
  float loudest = 0.0F;
  for (const float sample : samples)
    loudest = std::max(loudest, std::abs(sample));
  return loudest;
}

int rising_zeros(const Samples& samples) {
  int zeros = 0;
  for (std::size_t i = 1; i < samples.size(); ++i)
    zeros += samples[i - 1] < 0.0F && samples[i] >= 0.0F ? 1 : 0;
  return zeros;
}

/// What is measured of a tone.
struct Tone {
  double loudest = 0;
  double zeros = 0;  // that the samples pass upwards
};

bool is_near(const Tone& tone, const Tone& wanted, const Tone& tolerance) {
  return std::abs(tone.loudest - wanted.loudest) <= tolerance.loudest &&
         std::abs(tone.zeros - wanted.zeros) <= tolerance.zeros;
}

/// The sound at a JACK server's ports, without the listening.
class AJackStream : public ::testing::Test {
 protected:
  void start(int rate_hz = testing::kSampleRateHz) {
    if (!server_.start(rate_hz)) GTEST_SKIP() << "no JACK server: " << server_.log();
  }
  /// The first `count` samples from the first loud one on. Fewer: the stream failed, or is silent.
  [[nodiscard]] Samples heard(SoundStream& stream, std::size_t count) {
    Samples samples;
    const bool has_all = eventually([&] {
      const auto given = stream.next();
      if (!given) {
        ADD_FAILURE() << given.error().message;
        return true;
      }
      const auto is_loud = [](float sample) { return std::abs(sample) > 0.01F; };
      const auto begin = samples.empty() ? std::ranges::find_if(*given, is_loud) : given->begin();
      samples.insert(samples.end(), begin, given->end());
      return samples.size() >= count;
    });
    EXPECT_TRUE(has_all);
    samples.resize(std::min(samples.size(), count));
    return samples;
  }

  /// One of several half seconds: jackd runs without real time here, so a busy machine may drop a
  /// period of its samples.
  void expect_half_second_of(SoundStream& stream, const Tone& wanted, const Tone& tolerance) {
    constexpr int kHalfSecondsMax = 20;
    std::string others;
    for (int i = 0; i < kHalfSecondsMax && !HasFailure(); ++i) {
      const auto samples = heard(stream, 24'000);
      const Tone tone{loudest(samples), static_cast<double>(rising_zeros(samples))};
      if (is_near(tone, wanted, tolerance)) return;
      others += fmt::format("loudest {:.3f}, rising zeros {}\n", tone.loudest, tone.zeros);
    }
    ADD_FAILURE() << "no half second is right:\n" << others;
  }

  testing::PrivateJack server_;
};

TEST_F(AJackStream, HasTheSamplesOfAPort) {
  start();
  ASSERT_TRUE(server_.play({{"main out", testing::tone(1.0, 1'000.0, 0.5)}}));
  const auto stream = open_sound("jack:band:main out", {});
  ASSERT_TRUE(stream) << stream.error().message;
  expect_half_second_of(**stream, {.loudest = 0.5, .zeros = 500}, {.loudest = 0.01, .zeros = 2});
  EXPECT_GE((*stream)->delay(), std::chrono::nanoseconds(0));
  EXPECT_LT((*stream)->delay(), std::chrono::seconds(1));
}

TEST_F(AJackStream, IsTheMeanOfTwoPorts) {
  start();
  ASSERT_TRUE(
      server_.play({{"left", testing::tone(1.0, 1'000.0, 0.8)}, {"right", testing::silence(1.0)}}));
  const auto stream = open_sound("jack:band:left,band:right", {});
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_NEAR(loudest(heard(**stream, 24'000)), 0.4F, 0.01F);
}

/// A tone of 1,000 Hz at 48,000 Hz, which a server of another rate plays at another pitch.
class AJackStreamOf : public AJackStream, public ::testing::WithParamInterface<int> {};

TEST_P(AJackStreamOf, AnotherRateIsConverted) {
  start(GetParam());
  ASSERT_TRUE(server_.play({{"out", testing::tone(1.0, 1'000.0, 0.5)}}));
  const auto stream = open_sound("jack:band:out", {});
  ASSERT_TRUE(stream) << stream.error().message;
  const double zeros = 500.0 * GetParam() / testing::kSampleRateHz;
  expect_half_second_of(**stream, {.loudest = 0.5, .zeros = zeros}, {.loudest = 0.05, .zeros = 3});
}

INSTANTIATE_TEST_SUITE_P(Rates, AJackStreamOf, ::testing::Values(44'100, 96'000));

TEST_F(AJackStream, OfAllCapturePortsGivesSamples) {
  start();
  for (const auto* device : {"jack", ""}) {
    const auto stream = open_sound(device, {});
    ASSERT_TRUE(stream) << stream.error().message;
    EXPECT_TRUE(eventually([&] {
      const auto given = (*stream)->next();
      return !given || !given->empty();
    })) << device;
  }
}

TEST_F(AJackStream, NeedsACapturePortOrTheNameOfAnother) {
  if (!server_.start(testing::kSampleRateHz, 0)) GTEST_SKIP() << server_.log();
  const auto stream = open_sound("jack", {});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().message,
            "sound input \"jack\" cannot be opened: JACK has no capture ports; name a program's "
            "port: jack:CLIENT:PORT");
}

TEST_F(AJackStream, AMissingPortIsNamedBesideThoseThatAreThere) {
  start();
  const auto missing = open_sound("jack:system:capture_1,drums:kick", {});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "sound input \"jack:system:capture_1,drums:kick\" cannot be opened: JACK's port "
            "\"drums:kick\" is not here; this computer has jack (JACK: all capture ports), "
            "jack:system:capture_1,system:capture_2 (JACK: system, both ports), "
            "jack:system:capture_1 (JACK: system:capture_1), jack:system:capture_2 (JACK: "
            "system:capture_2)");
  const auto speaker = open_sound("jack:system:playback_1", {});
  ASSERT_FALSE(speaker);
  EXPECT_THAT(speaker.error().message,
              HasSubstr("JACK's port \"system:playback_1\" gives no sound; this computer has"));
}

TEST_F(AJackStream, StartsNoServer) {
  ::testing::internal::CaptureStderr();
  const auto stream = open_sound("jack", {});
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().message,
            "sound input \"jack\" cannot be opened: no JACK server runs for this user; start one, "
            "with QjackCtl or jackd");
  EXPECT_THAT(sound_devices({}, "/nowhere"), IsEmpty());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "libraries are to be silent";
}

TEST_F(AJackStream, IsListedWithThePortsOfThePrograms) {
  start();
  ASSERT_TRUE(server_.play({{"out", testing::silence(1.0)},
                            {"a,b", testing::silence(1.0)},
                            {"in parts", testing::silence(1.0)}}));
  EXPECT_THAT(sound_devices({}, "/nowhere"),
              ElementsAre(CaptureDevice{"jack", "JACK: all capture ports"},
                          CaptureDevice{"jack:system:capture_1,system:capture_2",
                                        "JACK: system, both ports"},
                          CaptureDevice{"jack:system:capture_1", "JACK: system:capture_1"},
                          CaptureDevice{"jack:system:capture_2", "JACK: system:capture_2"},
                          CaptureDevice{"jack:band:out", "JACK: band:out"},
                          CaptureDevice{"jack:band:in parts", "JACK: band:in parts"}))
      << "a comma would part a name";
}

/// Listening to what a program plays by JACK.
class ListeningToJack : public testing::SoundListeningTest {
 protected:
  void SetUp() override {
    start_server();
    listen();
  }
  void start_server() {
    if (!server_.start() || !play_drums()) GTEST_SKIP() << "no JACK server: " << server_.log();
  }
  [[nodiscard]] bool play_drums() { return server_.play({{"drums", testing::track(2.0, 0.5)}}); }
  void listen() { SoundListeningTest::listen("jack:band:drums"); }

  testing::PrivateJack server_;
};

TEST_F(ListeningToJack, HearsWhatItPlays) {
  expect_kicks_of_now(server_.log());
}

TEST_F(ListeningToJack, AServerThatIsKilledIsToldOfAndHeardAgainWhenItIsBack) {
  ASSERT_TRUE(hears_kicks());
  server_.kill();
  EXPECT_TRUE(is_in_trouble());
  EXPECT_THAT(listening_->trouble(),
              HasSubstr("everything that follows the sound rests; tried again every 2 s"));
  EXPECT_TRUE(eventually([&] { return heard_.is_silent(); }));

  start_server();
  EXPECT_TRUE(hears_kicks()) << listening_->trouble();
  ASSERT_TRUE(eventually([&] { return events_.lines().size() == 2; })) << "the loss, the return";
  EXPECT_EQ(events_.lines()[1], "sound: the sound is heard again");
}

TEST_F(ListeningToJack, AProgramThatEndsIsToldOfAndHeardAgainWhenItIsBack) {
  ASSERT_TRUE(hears_kicks());
  server_.stop_playing();
  EXPECT_TRUE(is_in_trouble());
  EXPECT_THAT(listening_->trouble(),
              HasSubstr("sound input \"jack:band:drums\" was unplugged in JACK"));
  ASSERT_TRUE(play_drums());
  EXPECT_TRUE(hears_kicks()) << listening_->trouble();
}

TEST_F(ListeningToJack, AServerThatHangsIsSilentAndHoldsNobodyUp) {
  ASSERT_TRUE(hears_kicks());
  server_.signal(SIGSTOP);
  EXPECT_TRUE(eventually([&] { return heard_.is_silent(); }));
  EXPECT_TRUE(is_in_trouble());
  EXPECT_THAT(listening_->trouble(), HasSubstr("gives nothing for 5 s"));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(sound_devices({}, "/nowhere"), IsEmpty());
  listening_.reset();  // would wait for as long as the server hangs
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
  server_.signal(SIGCONT);

  listen();
  EXPECT_TRUE(hears_kicks()) << listening_->trouble();
}

TEST_F(ListeningToJack, LeavesNothingOpen) {
  ASSERT_TRUE(hears_kicks());
  listening_.reset();
  const auto open_before = testing::open_descriptors();
  for (int i = 0; i < 5; ++i) {
    listen();
    ASSERT_TRUE(hears_kicks());
    listening_.reset();
    const CaptureDevice drums{"jack:band:drums", "JACK: band:drums"};
    EXPECT_TRUE(eventually([&] {  // a busy server may not answer in time
      const auto devices = sound_devices({}, "/nowhere");
      return std::ranges::find(devices, drums) != devices.end();
    }));
  }
  EXPECT_TRUE(testing::has_open_again(open_before)) << testing::open_descriptors();
}

}  // namespace
}  // namespace submix::io
