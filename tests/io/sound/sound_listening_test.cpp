// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_listening.hpp"

#include "common/base/files.hpp"
#include "node/io/sound/alsa_stream.hpp"
#include "node/io/sound/sound_device.hpp"
#include "tests/io/plugin_rig.hpp"
#include "tests/io/sound/heard_sound.hpp"
#include "tests/io/sound/sound_server.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/open_descriptors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>

namespace submix::io {
namespace {

using testing::eventually;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Listening to what a sound server plays.
class ListeningToAServer : public testing::SoundListeningTest {
 protected:
  void SetUp() override {
    start_server();
    listen("stage.monitor");
  }
  void start_server() {
    if (!server_.start() || !server_.play(testing::track(100.0, 0.5)))
      GTEST_SKIP() << "no sound server: " << server_.log();
  }

  testing::SoundServer server_;
};

TEST_F(ListeningToAServer, HearsWhatItPlays) {
  expect_kicks_of_now(server_.log());
}

TEST_F(ListeningToAServer, TakesItsDefaultInputWhereNobodyNamesOne) {
  listen("");
  EXPECT_TRUE(hears_kicks()) << listening_->trouble();
}

TEST_F(ListeningToAServer, IsSilentWhileItRests) {
  ASSERT_TRUE(hears_kicks());
  listening_->listen(std::nullopt);
  EXPECT_TRUE(eventually([&] { return heard_.is_silent(); }));
  listening_->listen("stage.monitor");
  EXPECT_TRUE(hears_kicks());
  EXPECT_THAT(events_.lines(), IsEmpty());
}

TEST_F(ListeningToAServer, ThatEndsIsToldOfAndItComesBackByItself) {
  ASSERT_TRUE(hears_kicks());
  server_.kill();
  EXPECT_TRUE(eventually([&] { return !listening_->trouble().empty(); }));
  EXPECT_THAT(listening_->trouble(),
              HasSubstr("everything that follows the sound rests; tried again every 2 s"));
  EXPECT_TRUE(heard_.is_silent());
  EXPECT_TRUE(eventually([&] { return events_.lines().size() == 1; }));

  start_server();
  EXPECT_TRUE(hears_kicks());
  EXPECT_EQ(listening_->trouble(), "");
  ASSERT_TRUE(eventually([&] { return events_.lines().size() == 2; })) << "the loss, the return";
  EXPECT_EQ(events_.lines()[1], "sound: the sound is heard again");
}

TEST_F(ListeningToAServer, ThatHangsIsSilentAndHoldsNobodyUp) {
  ASSERT_TRUE(hears_kicks());
  server_.signal(SIGSTOP);
  EXPECT_TRUE(eventually([&] { return heard_.is_silent(); }));
  EXPECT_TRUE(eventually([&] { return !listening_->trouble().empty(); }));
  EXPECT_THAT(listening_->trouble(), HasSubstr("gives nothing for 5 s"));
  listening_.reset();  // would wait for as long as the server hangs
  server_.signal(SIGCONT);
}

TEST_F(ListeningToAServer, AMissingInputIsNamedBesideThoseThatAreThere) {
  listen("alsa_input.usb-tomorrow");
  EXPECT_TRUE(eventually([&] { return !listening_->trouble().empty(); }));
  EXPECT_THAT(listening_->trouble(),
              HasSubstr("sound input \"alsa_input.usb-tomorrow\" is not here; this computer has "
                        "stage.monitor (Monitor of Stage)"));
  listen("stage.monitor");
  EXPECT_TRUE(hears_kicks());
}

TEST_F(ListeningToAServer, LeavesNothingOpen) {
  ASSERT_TRUE(hears_kicks());
  listening_.reset();
  const auto open_before = testing::open_descriptors();
  for (int i = 0; i < 5; ++i) {
    listen("stage.monitor");
    ASSERT_TRUE(hears_kicks());
    listening_.reset();
  }
  EXPECT_TRUE(testing::has_open_again(open_before)) << testing::open_descriptors();
}

/// Listening on a computer without a sound server.
class ListeningToACard : public ::testing::Test {
 protected:
  void SetUp() override {
    environment_.set("PULSE_SERVER", nullptr);
    environment_.set("XDG_RUNTIME_DIR", nullptr);
    environment_.set("JACK_DEFAULT_SERVER", "nobody-runs-this");
  }
  [[nodiscard]] std::string trouble_with(const std::string& device) {
    listening_.listen(device);
    EXPECT_TRUE(eventually([&] { return !listening_.trouble().empty(); }));
    EXPECT_TRUE(eventually([&] { return heard_.is_silent(); }));
    return listening_.trouble();
  }

  testing::Environment environment_;
  testing::HeardSound heard_;
  SoundListening listening_{{.heard = [this](const HeardMoment& moment) { heard_.hear(moment); }}};
};

TEST_F(ListeningToACard, SaysThatThereIsNone) {
  if (!sound_card_inputs().empty()) GTEST_SKIP() << "this machine has a sound card";
  ::testing::internal::CaptureStderr();
  EXPECT_THAT(trouble_with(""), HasSubstr("neither a sound server nor a sound card"));
  EXPECT_THAT(trouble_with("hw:1,0"),
              HasSubstr("it is not here; this computer has no sound input"));
  EXPECT_THAT(trouble_with("stage.monitor"), HasSubstr("no sound server runs for this user"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "libraries are to be silent";
}

TEST_F(ListeningToACard, RefusesNamesThatNoInputHas) {
  EXPECT_THAT(trouble_with("file:/etc/passwd"), HasSubstr("is no sound input"));
}

TEST_F(ListeningToACard, TakesTheSamplesThatAlsaGives) {
  const testing::TemporaryFolder folder;
  std::string samples;
  for (const float sample : testing::track(4.0, 0.5))
    samples.append(reinterpret_cast<const char*>(&sample), sizeof(sample));
  ASSERT_TRUE(write_file_atomically(folder / "samples", samples));
  const auto definition =
      "pcm.input { type plug slave.pcm { type file slave.pcm { type null } file /dev/null format "
      "raw infile \"" +
      (folder / "samples").string() + "\" } }";
  const auto stream = open_alsa_input("", definition);
  ASSERT_TRUE(stream) << stream.error().message;
  const auto is_loud = [](float sample) { return std::abs(sample) > 0.4F; };
  EXPECT_TRUE(eventually([&] {
    const auto given = (*stream)->next();
    return given && std::ranges::any_of(*given, is_loud);
  }));
  EXPECT_FALSE(open_alsa_input("", "pcm.input { type no-such-type }"));
}

}  // namespace
}  // namespace submix::io
