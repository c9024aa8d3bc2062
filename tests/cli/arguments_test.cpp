// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/base/files.hpp"
#include "tests/cli/command_line.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <CLI/Version.hpp>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using testing::TemporaryFolder;

const std::vector<std::string> kCommands{
    "apply",   "validate", "status",   "watch",   "assign",  "set",      "knob",    "preset",
    "cue",     "tempo",    "speed",    "bypass",  "helpers", "links",    "policy",  "pause",
    "resume",  "step",     "snapshot", "plugins", "key",     "nats",     "slot",    "submix",
    "stream",  "node",     "show",     "plan",    "undo",    "redo",     "without", "with",
    "layer",   "blackout", "freeze",   "media",   "outputs", "identify", "shaders", "doctor",
    "metrics", "desk",     "join",     "leave",   "sound",   "peers",    "render",  "pipe",
    "invite",  "clip"};

TEST(Arguments, ExplainEachCommandWithExamplesFirst) {
  for (const auto& command : kCommands) {
    const auto help = submix({command, "--help"});
    EXPECT_EQ(help.status, kOk);
    EXPECT_LT(help.out.find("submix " + command), help.out.find("Usage:")) << help.out;
    EXPECT_THAT(help.err, IsEmpty());
    EXPECT_THAT(submix({"--help"}).out, HasSubstr("\n  " + command + " "));
  }
}

TEST(Arguments, TellTheVersion) {
  EXPECT_THAT(submix({"--version"}).out, StartsWith("submix "));
  EXPECT_EQ(submix({"--version"}).status, kOk);
}

TEST(Arguments, RefuseWrongUseWithStatusTwo) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"frob"},
      {"apply"},
      {"apply", "a", "b"},
      {"status", "--frob"},
      {"step", "0"},
      {"step", "x"},
      {"step", "--fps", "0"},
      {"step", "--fps", "31"},
      {"step", "--fps", "nan"},
      {"tempo", "nan"},
      {"speed", "nan"},
      {"knob", "energy", "nan"},
      {"snapshot"},
      {"pipe"},
      {"pipe", "out"},
      {"pipe", "out", "mix", "--format", "by-itself"},
      {"pipe", "in"},
      {"pipe", "in", "a", "--level", "2"},
      {"pipe", "remove"},
      {"key"},
      {"key", "new"},
      {"nats", "--port", "65536"},
      {"desk", "--pairing-port", "0"},
      {"join", "a", "b"},
      {"bypass", "a.b", "maybe"},
      {"helpers", "a.b"},
      {"set", "a.b.c", "--frequency", "fast"},
      {"-1", "set"},
      {"-1", "set", "a.b.c"},
      {"tempo", "1"},
      {"knob", "energy", "2"},
      {"preset"},
      {"preset", "save"},
      {"cue"},
      {"cue", "save", "a", "--fade", "-1"},
      {"speed", "17"},
      {"helpers", "a.b", "9"},
      {"slot"},
      {"slot", "frob"},
      {"status", "--force"},
      {"stream", "local", "a", "maybe"},
      {"undo", "twice"},
      {"links", "left"},
      {"policy", "left"},
      {"without"},
      {"policy", "left", "hold", "--pause-budget", "long"},
      {"watch", "--seconds", "0"},
      {"render"},
      {"render", "a.toml", "--seconds", "1"},
      {"render", "a.toml", "-o", "a.mkv"},
      {"render", "a.toml", "-o", "a.mp4", "--seconds", "1"},
      {"render", "a.toml", "-o", "a.mkv", "--seconds", "0"},
      {"render", "a.toml", "-o", "a.mkv", "--seconds", "nan"},
      {"render", "a.toml", "-o", "a.mkv", "--seconds", "1", "--frames", "1"},
      {"render", "a.toml", "-o", "a.mkv", "--seconds", "1", "--codec", "gif"},
      {"render", "a.toml", "-o", "a.mkv", "--seconds", "1", "--media", "/none"},
      {"pause", "--json"},
      {"apply", "x", "--timeout", "0"}};
  for (const auto& arguments : wrong) {
    const auto outcome = submix(arguments);
    EXPECT_EQ(outcome.status, kWrongUse) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("--help"));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST(Arguments, NameTheCommandThatWasMeant) {
  EXPECT_THAT(submix({"staus"}).err, HasSubstr("no command \"staus\" (did you mean \"status\"?)"));
  EXPECT_THAT(submix({"bypass", "a.b", "maybe"}).err, HasSubstr("maybe not in {on,off}"));
}

TEST(Arguments, SayWhichCommandIsWronglyUsedAndWhatItCanDo) {
  EXPECT_THAT(submix({"assign"}).err, AllOf(HasSubstr("submix assign: submix is required"),
                                            HasSubstr("Run submix assign --help")));
  EXPECT_THAT(submix({"slot"}).err,
              HasSubstr("submix slot: name a command: insert, duplicate, delete"));
  EXPECT_THAT(submix({"slot", "isnert"}).err,
              HasSubstr("submix slot has no command \"isnert\" (did you mean \"insert\"?)"));
  EXPECT_THAT(submix({"slot", "insert", "left"}).err,
              HasSubstr("submix slot insert: plugin is required"));
  EXPECT_THAT(submix({"status", "extra"}).err, HasSubstr("submix status: "));
}

TEST(Arguments, NameTheCommandThatReplacedAnOldOne) {
  const auto outcome = submix({"stream", "routes", "left", "198.18.0.2=198.18.0.1"});
  EXPECT_EQ(outcome.status, kWrongUse);
  EXPECT_THAT(outcome.err, HasSubstr("use submix links STREAM FROM=TO"));
}

TEST(Arguments, TellTheLimitsOfAPort) {
  // CLI11's own words.
  constexpr auto* limits = CLI11_VERSION_MINOR < 4 ? "0 to 65535" : "[0 - 65535]";
  EXPECT_THAT(submix({"nats", "--port", "70000"}).err,
              AllOf(HasSubstr("70000"), HasSubstr(limits)));
}

TEST(Arguments, SayWhatIsNoClip) {
  const TemporaryFolder folder;
  const auto out = (folder / "out").string();
  EXPECT_THAT(submix({"demo", "--out", out, "--clip", "/nowhere.mp4"}).err,
              HasSubstr("--clip /nowhere.mp4: there is no such file"));
  const auto outcome = submix({"demo", "--out", out, "--clip", folder.path().string()});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, HasSubstr("is a folder; name one file in it"));
}

TEST(Arguments, SayThatNatsIsNotThere) {
  const std::vector<std::vector<std::string>> commands{
      {"status"},
      {"pause"},
      {"step"},
      {"assign", "left", "a"},
      {"set", "left.glow.Blur", "-0.5"},
      {"set", "left.glow.Blur", "--oscillate", "sine", "--from", "-1"},
      {"set", "left.glow.Blur", "--oscillate", "sine", "--phase", "-0.1"},
      {"set", "left.glow.Blur", "--width", "-1"},
      {"set", "left.glow.Blur", "--frequency", "-1"},
      {"set", "left.glow.Blur", "--value", "-1"},
      {"tempo", "100"},
      {"knob", "energy", "0.5"},
      {"preset", "apply", "soft"},
      {"cue", "go"},
      {"clip", "loop", "left.clip", "1/2"},
      {"clip", "sync", "left.clip"},
      {"bypass", "left.glow", "off"},
      {"helpers", "left.glow", "2"},
      {"links", "left", "3"},
      {"policy", "left", "latest"},
      {"without", "left"},
      {"snapshot", "mix", "-o", "/tmp/x.png"},
      {"apply", SUBMIX_CONFIGS "/shows/duo.toml", "--timeout", "1"},
      {"apply", SUBMIX_CONFIGS "/shows/duo.toml", "--relink"},
      {"plugins"}};
  for (auto arguments : commands) {
    arguments.insert(arguments.end(), {"--nats", "nats://127.0.0.1:1"});
    const auto outcome = submix(arguments);
    EXPECT_EQ(outcome.status, kFailed) << outcome.err;
    EXPECT_THAT(outcome.err,
                AllOf(StartsWith("submix: NATS at nats://127.0.0.1:1"), HasSubstr("submix nats")));
  }
}

TEST(Arguments, RefuseAnotherMachineWithoutAKey) {
  const auto outcome = submix({"status", "--nats", "nats://198.18.0.1:4222"});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, HasSubstr("submix key new FILE"));
  EXPECT_THAT(submix({"nats", "--listen", "198.18.0.1"}).err, HasSubstr("submix key new FILE"));
}

TEST(Validate, TellsAllProblemsOfAFile) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file_atomically(folder / "bad.toml",
                                    "[show]\nname = \"x\"\nsize = [0, 100000]\nrate = 1000\n"));
  const auto outcome =
      submix({"validate", SUBMIX_CONFIGS "/shows/duo.toml", (folder / "bad.toml").string()});
  EXPECT_EQ(outcome.status, kFailed);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("bad.toml:3: "), HasSubstr("bad.toml:4: ")));
  EXPECT_THAT(outcome.out,
              HasSubstr("duo.toml: show \"duo\" is in order: 3 nodes, 3 submixes, 2 streams"));
}

TEST(Validate, SaysThatAFileIsNotThere) {
  EXPECT_THAT(submix({"validate", "/nowhere.toml"}).err,
              HasSubstr("/nowhere.toml: cannot be read"));
}

TEST(Key, IsMadeOnceAndShown) {
  const TemporaryFolder folder;
  const auto file = (folder / "show.key").string();
  EXPECT_EQ(submix({"key", "new", file}).status, kOk);
  EXPECT_THAT(submix({"key", "show", file}).out, StartsWith("submix-key-"));
  const auto again = submix({"key", "new", file});
  EXPECT_EQ(again.status, kFailed);
  EXPECT_THAT(again.err, HasSubstr("is there already"));
}

TEST(Set, RefusesWhatNamesNoParameter) {
  for (const std::string target : {"left", "left.glow", "left.glow.", ".a.b", "Left.glow.Blur"}) {
    EXPECT_EQ(submix({"set", target, "1"}).status, kFailed) << target;
  }
}

}  // namespace
}  // namespace submix::cli
