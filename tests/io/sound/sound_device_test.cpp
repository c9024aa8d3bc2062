// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_device.hpp"

#include "common/base/files.hpp"
#include "common/show/sound.hpp"
#include "tests/io/sound/sound_server.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace submix::io {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* kKernelsList =
    "00-00: ALC295 Analog : ALC295 Analog : playback 1 : capture 1\n"
    "00-03: HDMI 0 : HDMI 0 : playback 1\n"
    "02-01: Evil\x1b[2J card : capture : playback 1\n"
    "nonsense : capture 1\n"
    "\n"
    "03-00: Scarlett 2i2: USB Audio : Scarlett : playback 1 : capture 1\n"
    "12-07: Evil\x1b[2J card : USB Audio : capture 2\n";

TEST(SoundDevice, ACardsInputsAreNamedByTheKernel) {
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "pcm", kKernelsList));
  EXPECT_THAT(
      sound_card_inputs(folder / "pcm"),
      ElementsAre(CaptureDevice{"hw:0,0", "ALC295 Analog"}, CaptureDevice{"hw:3,0", "Scarlett 2i2"},
                  CaptureDevice{"hw:12,7", "Evil\\x1b[2J card"}));
  EXPECT_THAT(sound_card_inputs(folder / "missing"), IsEmpty());
}

TEST(SoundDevice, NoMoreAreListedThanANodeReports) {
  const testing::TemporaryFolder folder;
  std::string list;
  for (int i = 0; i < 100; ++i)
    list += "00-" + std::to_string(i) + ": Mixer : Mixer : capture 1\n";
  ASSERT_TRUE(write_file_atomically(folder / "pcm", list));
  EXPECT_EQ(sound_card_inputs(folder / "pcm").size(), kCaptureDevicesMax);
}

// A show comes from other people, and ALSA's names can load plugins and write files.
TEST(SoundDevice, OnlyNamesOfCardsOfSourcesAndOfJackAreTaken) {
  for (const auto* device :
       {"", "hw:0,0", "hw:31,12", "stage.monitor", "alsa_input.pci-0000_00_1f.3.analog-stereo",
        "bluez_input.AA:BB:CC:DD:EE:FF", "alsa_input.HiFi__hw_sofhdadsp_6__source", "jack",
        "jack:system:capture_1", "jack:Ardour:Master/audio_out 1,Ardour:Master/audio_out 2",
        "jack:M\xc3\xbcller's (live):a=b;c|d", "jack:a:b:c", "jackdaw", "clip:left.clip",
        "clip:left.look/clip", "clip"})
    EXPECT_TRUE(show::check_sound_name(device)) << device;
  EXPECT_TRUE(show::check_sound_name(std::string(200, 'a')));
  for (const auto* device : {"hw:0,0,0",
                             "hw:,0",
                             "hw:0,",
                             "hw:-1,0",
                             "hw:+1,0",
                             "hw:0, 0",
                             "hw:CARD=PCH,DEV=0",
                             "hw:256,0",
                             "hw:99999999999,0",
                             "plughw:1,0",
                             "file:/tmp/x,raw",
                             "file:'/etc/passwd'",
                             "plug:\"hw:0,0\"",
                             "plug:{SLAVE=null}",
                             "dmix:0,1",
                             "../native",
                             "/tmp/socket",
                             "tcp:host:4713/",
                             "a,b",
                             "a=b",
                             "a b",
                             "-d",
                             "--server",
                             "a\nb",
                             "a\x1b[2J",
                             "\xc3\xa4",
                             "@DEFAULT_SOURCE@",
                             "$HOME",
                             "a;b",
                             "a|b",
                             "jack:",
                             "jack:system",
                             "jack::capture_1",
                             "jack:system:",
                             "jack:a:b,",
                             "jack:,a:b",
                             "jack:a:b,c",
                             "jack:a:b,c:d,e:f",
                             "jack:a:b\n",
                             "jack:a:\x1b[2J",
                             "jack:a:\xff",
                             "clip:",
                             "clip:left",
                             "clip:.clip",
                             "clip:left.",
                             "clip:left.a\nb",
                             "*"})
    EXPECT_FALSE(show::check_sound_name(device)) << device;
  EXPECT_FALSE(show::check_sound_name(std::string(201, 'a')));
  EXPECT_FALSE(show::check_sound_name(std::string_view("a\0b", 3)));
}

TEST(SoundDevice, ARefusalSaysWhichNameAndWhatToWrite) {
  EXPECT_EQ(why(show::check_sound_name("file:/tmp/\x1b")),
            "\"file:/tmp/\\x1b\" is no sound input; write hw:1,0 for a sound card, jack for JACK, "
            "clip:SUBMIX.SLOT for the sound of a clip, or choose a listed input");
  EXPECT_EQ(why(show::check_sound_name("jack:system")),
            "\"jack:system\" is no sound input; write jack for all capture ports, or name one or "
            "two ports: jack:CLIENT:PORT,CLIENT:PORT");
}

TEST(SoundDevice, APortOfJackIsNamedByItsClientAndItself) {
  EXPECT_EQ(show::jack_ports("jack"), std::vector<std::string>());
  EXPECT_EQ(show::jack_ports("jack:Mixer:left"), std::vector<std::string>{"Mixer:left"});
  EXPECT_EQ(show::jack_ports("jack:Mixer:left,Mixer:right"),
            (std::vector<std::string>{"Mixer:left", "Mixer:right"}));
  EXPECT_EQ(show::jack_ports("stage.monitor"), std::nullopt);
  EXPECT_EQ(show::jack_ports("jack:Mixer"), std::nullopt);
}

TEST(SoundDevice, AClipIsNamedByItsSlot) {
  EXPECT_EQ(show::slot_of_sound("clip:left.clip"), "left.clip");
  EXPECT_EQ(show::sound_of_slot("left.look/clip"), "clip:left.look/clip");
  EXPECT_EQ(show::slot_of_sound("clip:left"), std::nullopt);
  EXPECT_EQ(show::slot_of_sound("left.clip"), std::nullopt);
}

TEST(SoundDevices, AreTheCardsInputsWithoutAServer) {
  testing::Environment environment;
  environment.set("PULSE_SERVER", nullptr);
  environment.set("XDG_RUNTIME_DIR", nullptr);
  environment.set("JACK_DEFAULT_SERVER", "nobody-runs-this");
  const testing::TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "pcm", kKernelsList));
  EXPECT_EQ(sound_devices({}, folder / "pcm").size(), 3U);
}

TEST(SoundDevices, AreTheCardsInputsBesideASocketOfAServerThatEnded) {
  testing::Environment environment;
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "pulse");
  ASSERT_TRUE(write_file_atomically(folder / "pulse" / "native", ""));
  environment.set("PULSE_SERVER", nullptr);
  environment.set("XDG_RUNTIME_DIR", folder.path().c_str());
  environment.set("JACK_DEFAULT_SERVER", "nobody-runs-this");
  ASSERT_TRUE(write_file_atomically(folder / "pcm", kKernelsList));
  EXPECT_EQ(sound_devices({}, folder / "pcm").size(), 3U) << "and no server was started";
}

TEST(SoundDevices, AreTheSourcesOfAServerWithItsMonitors) {
  testing::SoundServer server;
  if (!server.start()) GTEST_SKIP() << "no sound server: " << server.log();
  const CaptureDevice monitor{"stage.monitor", "Monitor of Stage"};
  EXPECT_TRUE(testing::eventually([] { return !sound_devices().empty(); }));
  EXPECT_THAT(sound_devices(), Contains(monitor));

  testing::Environment environment;  // as a user's session has it
  const testing::TemporaryFolder runtime;
  std::filesystem::create_directory(runtime / "pulse");
  std::filesystem::permissions(runtime / "pulse", std::filesystem::perms::owner_all);
  std::filesystem::create_symlink(server.socket(), runtime / "pulse" / "native");
  environment.set("PULSE_SERVER", nullptr);
  environment.set("XDG_RUNTIME_DIR", runtime.path().c_str());
  EXPECT_THAT(sound_devices(), Contains(monitor));
}

}  // namespace
}  // namespace submix::io
