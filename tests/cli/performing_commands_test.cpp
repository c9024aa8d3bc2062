// SPDX-License-Identifier: GPL-3.0-or-later
// Oscillators, the tempo, knobs, presets and cues by commands, with a real nats-server.
#include "common/show/announce.hpp"
#include "tests/cli/cluster_commands.hpp"
#include "tests/cli/fake_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST_F(CommandsTest, WithoutAShowAnOutputCommandSaysWhatToDo) {
  cluster::Cluster cluster(*bus_);
  for (const auto* command : {"blackout", "freeze", "identify"}) {
    const auto outcome = run({command});
    EXPECT_EQ(outcome.status, kFailed) << command;
    EXPECT_THAT(outcome.err, HasSubstr("no show is applied")) << command;
    EXPECT_THAT(outcome.err, HasSubstr("submix apply FILE")) << command;
  }
  EXPECT_FALSE(cluster.transport()->value.is_black);
  EXPECT_THAT(run({"cue", "go"}).err, HasSubstr("no show is applied; run: submix apply FILE"));
}

TEST_F(CommandsTest, OscillatorsAreSetPieceByPiece) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  const auto oscillator = [&] {
    return show::stated(desired().find_slot({"left", "pattern"})->oscillators.at("speed"));
  };
  const auto outcome = run({"set", "left.pattern.speed", "--oscillate", "sine", "--frequency",
                            "0.25", "--from", "-2", "--to", "8"});
  EXPECT_EQ(outcome.status, kOk) << outcome.err;
  EXPECT_EQ(outcome.out, "left.pattern: oscillator of speed: sine, 0.25 Hz, -2 to 8\n");
  EXPECT_EQ(oscillator(), (show::Oscillator{.frequency = 0.25, .from = -2, .to = 8}));
  EXPECT_EQ(run({"set", "left.pattern.speed", "--beats", "1/2", "--phase", "0.5"}).status, kOk);
  EXPECT_EQ(oscillator(), (show::Oscillator{.beats = 0.5, .phase = 0.5, .from = -2, .to = 8}));
  EXPECT_THAT(run({"set", "left.pattern.speed", "3"}).out,
              HasSubstr("submix set left.pattern.speed --oscillate off"));
  EXPECT_EQ(run({"set", "left.pattern.speed", "--oscillate", "off"}).status, kOk);
  EXPECT_FALSE(oscillator().is_on);
  EXPECT_EQ(run({"set", "left.pattern.speed", "4"}).out, "left.pattern: speed 4\n");
  EXPECT_EQ(run({"set", "left.pattern.speed", "--oscillate", "none"}).status, kOk);
  EXPECT_TRUE(desired().find_slot({"left", "pattern"})->oscillators.empty());
}

// A script that starts many commands at once: each found the show changed ten times within a few
// milliseconds, and most of them failed.
TEST_F(CommandsTest, ManyEditsAtOnceAreAllMade) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  constexpr int kCommands = 60;
  std::vector<std::future<Outcome>> outcomes;
  for (int i = 0; i < kCommands; ++i) {
    outcomes.push_back(std::async(
        std::launch::async, [&, i] { return run({"node", "add", "rack" + std::to_string(i)}); }));
  }
  for (auto& outcome : outcomes)
    EXPECT_EQ(outcome.get().err, "");
  EXPECT_EQ(desired().nodes.size(), 1U + kCommands);
}

TEST_F(CommandsTest, OscillatorsAreRefusedWithTheReason) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  const auto error = [&](std::vector<std::string> options, const std::string& parameter = "speed") {
    options.insert(options.begin(), {"set", "left.pattern." + parameter});
    return run(options).err;
  };
  EXPECT_THAT(error({"--frequency", "1"}),
              HasSubstr("has no oscillator; give it one: --oscillate sine"));
  EXPECT_THAT(error({"--oscillate", "saw"}), HasSubstr("waveform \"saw\" is not known"));
  EXPECT_THAT(error({"--oscillate", "sine", "--to", "65"}),
              HasSubstr("range 0 to 65 is not within -64 to 64"));
  EXPECT_THAT(error({"--oscillate", "sine"}, "sped"), HasSubstr("did you mean \"speed\""));
  EXPECT_THAT(error({"--oscillate", "sine", "--frequency", "500"}),
              HasSubstr("is not within 0.0001 to 120"));
  EXPECT_THAT(error({"--oscillate", "sine", "--beats", "0.5.1"}),
              HasSubstr("neither a number nor a fraction"));
  EXPECT_THAT(error({"1", "--oscillate", "sine"}), HasSubstr("exclude each other"));
  EXPECT_TRUE(desired().find_slot({"left", "pattern"})->oscillators.empty());
}

TEST_F(CommandsTest, TempoAndSpeedAreTheShows) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_EQ(run({"tempo", "96"}).status, kOk);
  EXPECT_EQ(run({"speed", "0.5"}).out, "tempo 96, master speed 0.5\n");
  EXPECT_TRUE(is_same_pace(desired().tempo, {.beats_per_minute = 96, .master_speed = 0.5}));
  EXPECT_EQ(run({"tempo"}).out, "tempo 96, master speed 0.5\n");
}

TEST_F(CommandsTest, AKnobIsMadeTurnedToldAndTakenOut) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_THAT(run({"knob"}).out, HasSubstr("submix knob NAME --target"));
  const auto made = run({"knob", "energy", "--target", "left.pattern.speed=8..-8"});
  EXPECT_EQ(made.status, kOk) << made.err;
  EXPECT_EQ(made.out, "knob energy\n");
  EXPECT_EQ(run({"knob", "energy", "0.25"}).out, "knob energy: 0.25\n");
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(4.0));
  EXPECT_THAT(run({"knob"}).out, HasSubstr("energy   0.25  left.pattern.speed"));
  EXPECT_THAT(run({"knob", "enegry", "1"}).err, HasSubstr("did you mean \"energy\""));
  EXPECT_THAT(run({"knob", "energy", "--target", "left.pattern.speed"}).err,
              HasSubstr("is not PARAMETER=A..B"));
  EXPECT_THAT(run({"knob", "energy", "--target", "left.patern.speed=0..1"}).err,
              HasSubstr("did you mean"));
  EXPECT_THAT(run({"knob", "enegry"}).err, HasSubstr("did you mean \"energy\""));
  EXPECT_THAT(run({"knob", "--delete"}).err, HasSubstr("say which knob"));
  EXPECT_THAT(run({"knob", "energy", "1", "--delete"}).err, HasSubstr("exclude each other"));
  EXPECT_EQ(run({"knob", "energy", "--rename", "drive"}).status, kOk);
  EXPECT_EQ(desired().knobs.at(0).name, "drive");
  EXPECT_EQ(run({"knob", "drive", "--rename", "energy"}).status, kOk);
  EXPECT_EQ(run({"knob", "energy", "--delete"}).out, "delete knob energy\n");
  EXPECT_TRUE(desired().knobs.empty());
}

TEST_F(CommandsTest, APresetIsSavedAppliedListedAndDeleted) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_EQ(run({"set", "left.pattern.speed", "3"}).status, kOk);
  EXPECT_THAT(run({"preset", "save", "slow"}).err, HasSubstr("say of what it is"));
  EXPECT_EQ(run({"preset", "save", "slow", "left.pattern"}).out, "preset slow\n");
  EXPECT_EQ(run({"preset", "save", "whole", "left"}).status, kOk);
  ASSERT_EQ(run({"set", "left.pattern.speed", "9"}).status, kOk);
  EXPECT_EQ(run({"preset", "apply", "slow"}).out, "preset slow\n");
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(3.0));
  EXPECT_THAT(run({"preset", "list"}).out,
              AllOf(HasSubstr("slow    left.pattern"), HasSubstr("whole   left ")));
  EXPECT_THAT(run({"preset", "apply", "slwo"}).err, HasSubstr("did you mean \"slow\""));
  EXPECT_EQ(run({"preset", "delete", "slow"}).status, kOk);
  EXPECT_EQ(desired().presets.size(), 1U);
}

TEST_F(CommandsTest, CuesAndPresetsAreRenamedAndCuesMoved) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  ASSERT_EQ(run({"preset", "save", "slow", "left.pattern"}).status, kOk);
  for (const auto* name : {"one", "two", "three"})
    ASSERT_EQ(run({"cue", "save", name, "--preset", "slow"}).status, kOk);
  EXPECT_EQ(run({"preset", "rename", "slow", "calm"}).out, "rename preset slow to calm\n");
  EXPECT_EQ(std::get<show::CuePreset>(desired().cues[2].changes[0]).preset, "calm");
  EXPECT_EQ(run({"cue", "rename", "two", "second"}).out, "rename cue two to second\n");
  EXPECT_THAT(run({"cue", "rename", "second", "one"}).err, HasSubstr("has a cue \"one\" already"));
  EXPECT_EQ(run({"cue", "move", "three", "before", "one"}).out, "move cue three\n");
  const auto show = desired();
  ASSERT_EQ(show.cues.size(), 3U);
  EXPECT_EQ(show.cues[0].name, "three");
  EXPECT_EQ(show.cues[2].name, "second");
  EXPECT_EQ(show.next_cue, "one") << "as before";
  EXPECT_NE(run({"cue", "move", "three", "beside", "one"}).status, kOk);
}

TEST_F(CommandsTest, CuesAreDoneOneAfterTheOther) {
  ASSERT_EQ(run({"apply", "--no-wait", file(kShow)}).status, kOk);
  EXPECT_THAT(run({"cue", "go"}).err, HasSubstr("the show has no cues"));
  const auto saved =
      run({"cue", "save", "fast", "--set", "left.pattern.speed=20", "--text", "run"});
  EXPECT_EQ(saved.status, kOk) << saved.err;
  ASSERT_EQ(run({"cue", "save", "stop", "--bypass", "left.pattern", "--pause"}).status, kOk);
  EXPECT_THAT(run({"cue", "list"}).out,
              AllOf(HasSubstr("next  fast"), HasSubstr("run; left.pattern: speed 20"),
                    HasSubstr("left.pattern: bypass on; pause")));
  EXPECT_EQ(run({"cue", "go"}).out, "cue fast\n");
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(20.0));
  EXPECT_EQ(run({"cue", "go"}).status, kOk);
  EXPECT_TRUE(desired().find_slot({"left", "pattern"})->is_bypassed);
  EXPECT_TRUE(cluster::Cluster(*bus_).transport()->value.is_paused);
  EXPECT_THAT(run({"cue", "stop"}).err, HasSubstr("no cue follows"));
  ASSERT_EQ(
      run({"cue", "save", "rise", "--bypass", "left.pattern=off", "--follow-beats", "16"}).status,
      kOk);
  EXPECT_EQ(desired().cues.back().follow, (show::FollowOn{16, show::FollowUnit::beats}));
  EXPECT_THAT(run({"cue", "list"}).out, HasSubstr("16 beats"));
  EXPECT_THAT(run({"cue", "go", "rise"}).out, HasSubstr("follows by itself"));
  EXPECT_TRUE(desired().following);
  EXPECT_EQ(run({"cue", "stop"}).status, kOk);
  EXPECT_FALSE(desired().following);
  EXPECT_NE(run({"cue", "save", "rise", "--follow", "0.1"}).status, kOk);
  EXPECT_NE(run({"cue", "save", "rise", "--follow", "4", "--follow-beats", "4"}).status, kOk);
  EXPECT_EQ(run({"cue", "delete", "rise"}).status, kOk);
  EXPECT_EQ(run({"cue", "next", "stop"}).status, kOk);
  EXPECT_EQ(desired().next_cue, "stop");
  EXPECT_THAT(run({"cue", "next", "stpo"}).err, HasSubstr("did you mean \"stop\""));
  EXPECT_EQ(run({"cue", "delete", "stop"}).status, kOk);
  EXPECT_EQ(desired().next_cue, "");
  EXPECT_THAT(run({"cue", "save", "x", "--set", "left.pattern.speed"}).err,
              HasSubstr("is not PARAMETER=VALUE"));
  EXPECT_THAT(run({"cue", "save", "x", "--bypass", "left.pattern=maybe"}).err,
              HasSubstr("SLOT=off"));
  EXPECT_EQ(desired().cues.size(), 1U);
}

TEST_F(CommandsTest, KnobsCuesAndPresetsTakeOnlyWhatThePluginsTake) {
  const FakeNode node(*bus_, "solo");
  ASSERT_EQ(apply(kShow).status, kOk);
  EXPECT_THAT(run({"knob", "a", "--target", "left.pattern.speed=0..100"}).err,
              HasSubstr("left.pattern.speed: 100 is not within -64 to 64"));
  EXPECT_THAT(run({"knob", "a", "--target", "left.pattern.spede=0..1"}).err,
              HasSubstr("did you mean \"speed\"?"));
  EXPECT_THAT(run({"cue", "save", "x", "--set", "left.pattern.speed=abc"}).err,
              HasSubstr("cue \"x\", left.pattern.speed: \"abc\" is not a number"));
  EXPECT_EQ(run({"knob", "a", "--target", "left.pattern.speed=0..10"}).status, kOk);
  EXPECT_EQ(run({"knob", "a", "0.5"}).status, kOk);
  EXPECT_EQ(desired().find_slot({"left", "pattern"})->parameters.at("speed"),
            show::ParameterValue(5.0));
}

TEST_F(CommandsTest, AKnobOfAnOlderShowLeavesOutWhatNoPluginTakes) {
  const FakeNode node(*bus_, "solo");
  const auto old = kShow + R"(
[[knob]]
name = "a"
targets = [{ parameter = "left.pattern.speed", from = 0, to = 100 }]
)";
  const auto applied = apply(old);
  ASSERT_EQ(applied.status, kOk);
  EXPECT_THAT(
      applied.err,
      HasSubstr("100 is not within -64 to 64; give a number from -64 to 64; it will be left out"));
  const auto turned = run({"knob", "a", "1"});
  EXPECT_EQ(turned.status, kOk) << turned.err;
  EXPECT_THAT(turned.err,
              HasSubstr("left out: knob \"a\", left.pattern.speed: 100 is not within -64 to 64"));
  EXPECT_EQ(desired().knobs[0].value, 1.0);
  EXPECT_TRUE(desired().find_slot({"left", "pattern"})->parameters.empty());
}

class ClipCommandsTest : public CommandsTest {
 protected:
  void SetUp() override {
    CommandsTest::SetUp();
    telemetry::StageReading stage;
    stage.slot = "pattern";
    stage.counters = {{"clip", 1}, {"position_ms", 3210}, {"end_ms", 10'000}};
    telemetry::SubmixReading left;
    left.name = "left";
    left.stages = {stage};
    cluster::PluginSummary clip{.id = "clip", .kind = "source"};
    for (const auto* name : {"in", "out", "beats"})
      clip.parameters.push_back({name, "number", "", 0.0, 0, 7200});
    node_ = std::make_unique<FakeNode>(*bus_, "solo", std::vector{left}, 30, std::vector{clip});
    auto show = kShow;
    show.replace(show.find("\"pattern\"\n[["), 9, "\"clip\"");
    ASSERT_EQ(apply(show).status, kOk);
  }
  [[nodiscard]] double value(const char* name) {
    const auto show = desired();
    const auto& parameters = show.find_slot({"left", "pattern"})->parameters;
    const auto found = parameters.find(name);
    return found == parameters.end() ? 0 : std::get<double>(found->second);
  }

  std::unique_ptr<FakeNode> node_;
};

TEST_F(ClipCommandsTest, LoopFromWhereTheNodeSaysThatTheClipIs) {
  const auto looped = run({"clip", "loop", "left.pattern", "4"});
  ASSERT_EQ(looped.status, kOk) << looped.err;
  EXPECT_EQ(looped.out, "left.pattern: loop of 4 beats\n");
  EXPECT_EQ(value("in"), 3.21);
  EXPECT_EQ(value("out"), 5.21);
  ASSERT_EQ(run({"clip", "loop", "left.pattern", "1/2"}).status, kOk);
  EXPECT_EQ(value("out"), 3.46);
  ASSERT_EQ(run({"undo"}).status, kOk);
  EXPECT_EQ(value("out"), 5.21);
  ASSERT_EQ(run({"clip", "loop", "left.pattern", "off"}).status, kOk);
  EXPECT_EQ(value("in"), 0);
  EXPECT_THAT(run({"clip", "loop", "left.pattern", "64"}).err, HasSubstr("the clip has 10.00 s"));
  EXPECT_THAT(run({"clip", "loop", "left.pattern", "x"}).err, HasSubstr("\"x\""));
  EXPECT_THAT(run({"clip", "loop", "left.end", "4"}).err, HasSubstr("left.end: is no clip"));
}

TEST_F(ClipCommandsTest, SyncToTheBeats) {
  const auto synced = run({"clip", "sync", "left.pattern"});
  ASSERT_EQ(synced.status, kOk) << synced.err;
  EXPECT_EQ(synced.out, "left.pattern: lasts 20 beats\n");
  EXPECT_EQ(value("beats"), 20);
  ASSERT_EQ(run({"clip", "sync", "left.pattern", "8"}).status, kOk);
  EXPECT_EQ(value("beats"), 8);
  ASSERT_EQ(run({"clip", "sync", "left.pattern", "off"}).status, kOk);
  EXPECT_EQ(value("beats"), 0);
  ASSERT_EQ(run({"set", "left.pattern.beats", "16"}).status, kOk);
  EXPECT_EQ(value("beats"), 16);
}

}  // namespace
}  // namespace submix::cli
