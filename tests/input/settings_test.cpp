// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/input/settings.hpp"

#include "common/base/files.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace submix::input {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

InputSettings sample_settings() {
  InputSettings settings;
  settings.osc = {false, "0.0.0.0", 9001, {{"198.18.0.9", 9000}}};
  settings.is_midi_on = false;
  settings.is_link_on = true;
  settings.is_music_followed = true;
  Mapping fader{"nano \"2\"", MidiControl{MidiControl::Kind::cc14, 3, 7},
                ParameterTarget{{"left", "glow"}, "tint", 1}, 0.75, 0.25};
  Mapping key{"nano", MidiControl{MidiControl::Kind::note, 16, 60}, BypassTarget{{"left", "glow"}}};
  key.response = Response::toggle;
  key.is_soft = false;
  const Mapping surface{std::string(kOscPrograms), OscControl{"/1/fader3"}, KnobTarget{"heat"}};
  Mapping letter{std::string(kKeyboard), KeyControl{"Shift+Ä"}, PresetTarget{"warm"}};
  letter.response = Response::momentary;
  settings.mappings = {surface, letter, fader, key};
  return settings;
}

TEST(InputSettings, AreTheSameAfterTheyWereText) {
  for (const auto& settings : {InputSettings{}, sample_settings()}) {
    const auto read = read_settings(to_toml(settings));
    EXPECT_THAT(read.problems, IsEmpty());
    EXPECT_EQ(read.settings, settings);
  }
}

TEST(InputSettings, LeaveOutWhatIsWrongAndSayWhere) {
  const auto read = read_settings(R"([osc]
port = 70000
lisen = "0.0.0.0"
receivers = ["127.0.0.1:9000", "nowhere"]
[midi]
on = "yes"
[[midi.mapping]]
device = "nano"
control = "cc 7"
target = "left.glow.Blur"
[[midi.mapping]]
device = "nano"
control = "knob 7"
target = "left.glow.Blur"
[[midi.mapping]]
device = "nano"
control = "cc 7"
target = "left.glow.Blur"
to = nan
)");
  EXPECT_THAT(read.problems, ElementsAre(HasSubstr("line 3: nobody knows \"lisen\""),
                                         HasSubstr("line 2: port 70000"), HasSubstr("line 4"),
                                         HasSubstr("line 6: on is to be true or false"),
                                         HasSubstr("line 11"), HasSubstr("line 15")));
  EXPECT_FALSE(read.settings.osc.is_on);
  EXPECT_EQ(read.settings.osc.port, kOscPort);
  EXPECT_EQ(read.settings.osc.receivers.size(), 1U);
  EXPECT_EQ(read.settings.mappings.size(), 1U);
}

TEST(InputSettings, SayThatReceiversAreAList) {
  const auto read = read_settings("[osc]\nreceivers = \"127.0.0.1:9000\"\n");
  EXPECT_THAT(read.problems, ElementsAre(HasSubstr("line 2: write receivers as")));
}

TEST(InputSettings, RefuseAnEndlessKnobThatSaysWhereItStands) {
  for (const std::string control : {"bend", "cc14 7", "note 60"}) {
    const auto read = read_settings("[[midi.mapping]]\ndevice = \"nano\"\ncontrol = \"" + control +
                                    "\"\ntarget = \"left.glow.Blur\"\nresponse = \"relative\"\n");
    EXPECT_THAT(read.problems, ElementsAre(HasSubstr("cannot be relative"))) << control;
  }
}

TEST(InputSettings, RefuseKeysAndAddressesThatAreNone) {
  const auto read = read_settings(R"(
[[keys.mapping]]
target = "go"
[[osc.mapping]]
address = "/knob/heat"
target = "go"
[[osc.mapping]]
address = "/1/push"
target = "go"
device = "tablet"
[[keys.mapping]]
key = "G"
target = "go"
response = "relative"
)");
  EXPECT_THAT(read.problems,
              ElementsAre(HasSubstr("line 4: \"/knob/heat\" is one of Submix's own"),
                          HasSubstr("line 10: nobody knows \"device\""),
                          HasSubstr("line 2: \"\" is no key"), HasSubstr("cannot be relative")));
  EXPECT_EQ(read.settings.mappings.size(), 1U);
}

TEST(InputSettings, AreTheInitialOnesWithoutAFile) {
  const testing::TemporaryFolder folder;
  const auto read = SettingsFile(folder / "control.toml").load();
  EXPECT_EQ(read.settings, InputSettings{});
  EXPECT_THAT(read.problems, IsEmpty());
}

TEST(InputSettings, AreSavedAndLoaded) {
  const testing::TemporaryFolder folder;
  const auto file = folder / "new/control.toml";
  EXPECT_EQ(SettingsFile(file).save(sample_settings()), std::filesystem::path());
  EXPECT_EQ(SettingsFile(file).load().settings, sample_settings());
}

TEST(InputSettings, KeepACopyOfABrokenFileOnceItIsOverwritten) {
  const testing::TemporaryFolder folder;
  const auto path = folder / "control.toml";
  const auto copy = folder / "control.toml.broken-1";
  ASSERT_TRUE(write_file_atomically(path, "this is [no TOML"));
  SettingsFile file(path);
  EXPECT_THAT(file.load().problems,
              ElementsAre(HasSubstr("control.toml: line 1"), HasSubstr("a copy")));
  EXPECT_FALSE(std::filesystem::exists(copy)) << "each start would make one more";
  EXPECT_EQ(file.save(sample_settings()), copy);
  EXPECT_EQ(read_text_file(copy), "this is [no TOML");
  EXPECT_EQ(file.save(sample_settings()), std::filesystem::path()) << "it is in order now";
}

TEST(InputSettings, AreNotSavedOverAFileThatCannotBeRead) {
  const testing::TemporaryFolder folder;
  std::filesystem::create_directory(folder / "control.toml");
  SettingsFile file(folder / "control.toml");
  EXPECT_FALSE(file.load().problems.empty());
  EXPECT_FALSE(file.save(sample_settings()));
  EXPECT_TRUE(std::filesystem::is_directory(folder / "control.toml"));
}

/// `settings_file()` in a process with this home; null: HOME is not set.
std::string settings_file_with(const char* home) {
  std::string text;
  EXPECT_EXIT(
      {
        ::unsetenv("XDG_CONFIG_HOME");
        ::unsetenv("XDG_STATE_HOME");
        ::setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
        home == nullptr ? ::unsetenv("HOME") : ::setenv("HOME", home, 1);
        std::fputs(settings_file().c_str(), stderr);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), ::testing::Truly([&text](const std::string& written) {
        text = written;
        return true;
      }));
  return text;
}

TEST(InputSettings, LieBelowTheHome) {
  EXPECT_EQ(settings_file_with("/home/a"), "/home/a/.config/submix/control.toml");
}

// The settings were once in /tmp/.config, where any user can put a file.
TEST(InputSettings, AreThisUsersOwnWithoutAHome) {
  EXPECT_EQ(settings_file_with(nullptr), "/run/user/7/submix/control.toml");
}

}  // namespace
}  // namespace submix::input
