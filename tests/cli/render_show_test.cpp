// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/render_show.hpp"

#include "common/show/parse.hpp"
#include "controller/cli/render_progress.hpp"
#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two performers of which one has a look of its own, a mix, and a picture that nobody mixes.
constexpr const char* kSet = R"(
[show]
name = "set"
size = [64, 64]
rate = 30
delay = 4
output_chain = "look"
sound = { node = "desk" }
[[node]]
name = "desk"
[[submix]]
name = "look"
[[submix.slot]]
name = "in"
plugin = "stream-in"
[[submix.slot]]
name = "wash"
plugin = "colour"
[[submix.slot]]
name = "out"
plugin = "stream-out"
[[submix]]
name = "left"
node = "desk"
[[submix.slot]]
name = "clip"
plugin = "clip"
parameters = { file = "a.mp4" }
[[submix.slot]]
name = "send"
plugin = "send"
parameters = { address = "udp://127.0.0.1:9" }
[[submix.slot]]
name = "out"
plugin = "stream-out"
[[submix]]
name = "camera"
node = "desk"
[[submix.slot]]
name = "cam"
plugin = "capture"
[[submix.slot]]
name = "screen"
plugin = "window"
[[submix.slot]]
name = "out"
plugin = "stream-out"
[[submix]]
name = "mix"
node = "desk"
[[submix.slot]]
name = "left"
plugin = "stream-in"
[[submix.slot]]
name = "tint"
plugin = "colour"
inputs = ["left"]
[submix.slot.oscillators.wet]
waveform = "sound-bass"
[[submix.slot]]
name = "record"
plugin = "record"
inputs = ["tint"]
[[submix.slot]]
name = "screen"
plugin = "window"
inputs = ["tint"]
[[submix]]
name = "monitor"
node = "desk"
[[submix.slot]]
name = "cam"
plugin = "stream-in"
[[submix.slot]]
name = "screen"
plugin = "window"
[[stream]]
name = "left"
from = "left.out"
to = "mix.left"
policy = "latest"
[[stream]]
name = "cam"
from = "camera.out"
to = "monitor.cam"
[[cue]]
name = "drop"
)";

show::Show set() {
  auto show = show::parse(kSet, "set.toml");
  EXPECT_TRUE(show.has_value()) << (show ? "" : show::to_string(show.error()));
  return show.value_or(show::Show());
}

RenderTarget target(std::string mix) {
  return {.mix = std::move(mix), .file = "set.mkv", .codec = "ffv1", .frames = 90};
}

std::string plugin_of(const show::Show& show, const std::string& submix, const std::string& slot) {
  const auto* found = show.find_slot({submix, slot});
  return found == nullptr ? "none" : found->plugin;
}

TEST(ShowToRender, KeepsWhatTheMixShowsOnOneNode) {
  const auto rendered = show_to_render(set(), target("mix"));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  std::vector<std::string> nodes;
  for (const auto& submix : rendered->show.submixes)
    nodes.push_back(submix.name + " on " + submix.node);
  EXPECT_THAT(nodes, ElementsAre("look on ", "left on render", "mix on render"));
  ASSERT_EQ(rendered->show.streams.size(), 1U);
  EXPECT_EQ(rendered->show.streams[0].policy, show::InputPolicy::wait);
}

TEST(ShowToRender, RecordsInThePlaceOfTheWindowAndSilencesOtherOutputs) {
  const auto rendered = show_to_render(set(), target("mix"));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  EXPECT_EQ(rendered->record, (show::Port{"mix", "screen"}));
  const auto& record = *rendered->show.find_slot(rendered->record);
  EXPECT_EQ(record.plugin, "record");
  EXPECT_THAT(*record.inputs, ElementsAre("tint"));
  EXPECT_EQ(std::get<std::string>(record.parameters.at("file")), "set.mkv");
  EXPECT_EQ(std::get<double>(record.parameters.at("frames")), 90);
  EXPECT_EQ(plugin_of(rendered->show, "mix", "record"), "null");
  EXPECT_EQ(plugin_of(rendered->show, "left", "send"), "null");
}

TEST(ShowToRender, RecordsBehindAnySlot) {
  const auto rendered = show_to_render(set(), target("mix.tint"));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  EXPECT_EQ(rendered->record, (show::Port{"mix", "tint-film"}));
  EXPECT_THAT(*rendered->show.find_slot(rendered->record)->inputs, ElementsAre("tint"));
  EXPECT_EQ(plugin_of(rendered->show, "mix", "screen"), "null");
}

TEST(ShowToRender, TellsWhatAFilmHasNot) {
  const auto rendered = show_to_render(set(), target("mix"));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  EXPECT_THAT(rendered->remarks, ElementsAre(HasSubstr("mix.tint.wet follows sound"),
                                             HasSubstr("the show has 1 cues")));
  EXPECT_THAT(rendered->show.cues, IsEmpty());
}

TEST(ShowToRender, KeepsTheClipWhoseSoundTheShowFollows) {
  auto heard = set();
  auto& camera = *heard.find_submix("camera");
  camera.slots[0].plugin = "clip";
  camera.slots[0].parameters = {{"file", std::string("music.mkv")}};
  heard.sound = {"desk", "clip:camera.cam"};
  const auto rendered = show_to_render(heard, target("mix"));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  EXPECT_EQ(rendered->show.sound, (show::SoundInput{"render", "clip:camera.cam"}));
  const auto* music = rendered->show.find_submix("camera");
  ASSERT_NE(music, nullptr);
  EXPECT_EQ(music->node, "") << "nobody sees it";
  EXPECT_EQ(music->slots.size(), 1U);
  EXPECT_THAT(rendered->remarks, ElementsAre(HasSubstr("the show has 1 cues")));
}

TEST(ShowToRender, RefusesLivePicturesThatItWouldShow) {
  const auto rendered = show_to_render(set(), target("monitor"));
  ASSERT_FALSE(rendered.has_value());
  EXPECT_THAT(rendered.error().message,
              AllOf(HasSubstr("camera.cam (capture)"), HasSubstr("bypass these slots")));

  auto bypassed = set();
  bypassed.find_slot({"camera", "cam"})->is_bypassed = true;
  EXPECT_TRUE(show_to_render(bypassed, target("monitor")).has_value());
}

TEST(ShowToRender, AsksForTheMixWhereSeveralAreEnds) {
  const auto refused = show_to_render(set(), target(""));
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("--mix"), HasSubstr("mix, monitor")));

  auto single = set();
  std::erase_if(single.submixes, [](const auto& submix) { return submix.name == "monitor"; });
  std::erase_if(single.streams, [](const auto& stream) { return stream.name == "cam"; });
  std::erase_if(single.submixes, [](const auto& submix) { return submix.name == "camera"; });
  const auto rendered = show_to_render(single, target(""));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  EXPECT_EQ(rendered->source, (show::Port{"mix", "screen"}));
}

// A show that was saved while `submix pipe` ran.
TEST(ShowToRender, TakesNoPipeForTheEndOfAShow) {
  auto piped = set();
  std::erase_if(piped.submixes, [](const auto& submix) {
    return submix.name == "monitor" || submix.name == "camera";
  });
  std::erase_if(piped.streams, [](const auto& stream) { return stream.name == "cam"; });
  auto& pipe = piped.submixes.emplace_back();
  pipe.name = pipe.node = "pipe-mix-12ab";
  pipe.slots = {{"in", "stream-in", {}, {}, false}, {"out", "pipe-out", {}, {}, false}};
  auto& stream = piped.streams.emplace_back();
  stream.name = pipe.name;
  stream.from = {"mix", pipe.name};
  stream.to = {pipe.name, "in"};
  piped.find_submix("mix")->slots.push_back({pipe.name, "stream-out", {}, {}, false});
  const auto rendered = show_to_render(piped, target(""));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  EXPECT_EQ(rendered->source, (show::Port{"mix", "screen"}));
  EXPECT_EQ(rendered->show.find_submix("pipe-mix-12ab"), nullptr);

  piped.find_slot({"left", "clip"})->plugin = "pipe-in";
  EXPECT_THAT(why(show_to_render(piped, target(""))), HasSubstr("left.clip (pipe-in)"));
}

TEST(ShowToRender, NamesWhatIsThereForAWrongMix) {
  EXPECT_THAT(why(show_to_render(set(), target("mxi"))), HasSubstr("\"mix\""));
  EXPECT_THAT(why(show_to_render(set(), target("mix.tnit"))), HasSubstr("\"tint\""));
}

TEST(ShowToRender, BeginsOscillatorsOfASavedShowAtItsFirstFrame) {
  auto saved = set();
  saved.tempo = show::changed(saved.tempo, 90, 1, std::chrono::hours(400'000));
  auto& oscillator = saved.find_slot({"mix", "tint"})->oscillators.at("wet");
  oscillator.waveform = show::Waveform::one_shot;
  oscillator.shots = 3;
  oscillator.start = 1.7e9;
  const auto rendered = show_to_render(saved, target("mix"));
  ASSERT_TRUE(rendered.has_value()) << rendered.error().message;
  const auto& shot = rendered->show.find_slot({"mix", "tint"})->oscillators.at("wet");
  EXPECT_EQ(show::periods_at(shot, show::moment_at(rendered->show.tempo, {})), 0);
  EXPECT_EQ(rendered->show.tempo.beats_per_minute, 90);
}

telemetry::NodeReading reading_of(const std::string& slot, telemetry::Counters counters,
                                  std::string trouble = {}) {
  telemetry::StageReading stage;
  stage.slot = slot;
  stage.counters = std::move(counters);
  stage.trouble = std::move(trouble);
  telemetry::SubmixReading submix;
  submix.name = "mix";
  submix.stages = {stage};
  telemetry::NodeReading reading;
  reading.submixes = {submix};
  return reading;
}

class RenderProgressTest : public ::testing::Test {
 protected:
  RenderProgress progress_{{"mix", "screen"}};
};

TEST_F(RenderProgressTest, IsCompleteOnceTheFileIs) {
  progress_.take(reading_of("screen", {{"recorded", 90}, {"completed", 0}}));
  EXPECT_EQ(progress_.frames(), 90U);
  EXPECT_FALSE(progress_.is_complete());
  progress_.take(reading_of("screen", {{"recorded", 90}, {"completed", 1}}));
  EXPECT_TRUE(progress_.is_complete());
}

TEST_F(RenderProgressTest, TakesAWarningOfTheRecordingForNoFailure) {
  progress_.take(reading_of("screen", {{"recorded", 9}}, "the disk has room for 41 s more"));
  EXPECT_THAT(progress_.failure(), IsEmpty());
  progress_.take(reading_of("screen", {{"recorded", 9}, {"broken_off", 1}}, "disk full"));
  EXPECT_EQ(progress_.failure(), "disk full");
}

TEST_F(RenderProgressTest, FailsWhereASlotShowsAnotherPicture) {
  progress_.take(reading_of("glow", {{"held", 2}}));
  EXPECT_THAT(progress_.failure(), HasSubstr("mix.glow: 2 of its pictures"));
}

TEST_F(RenderProgressTest, FailsWhereWhatTheShowFollowsIsNotHeard) {
  telemetry::NodeReading reading;
  reading.sound.trouble = "the sound of the clip in slot left.clip: a.mp4 has no sound";
  progress_.take(reading);
  EXPECT_THAT(progress_.failure(), HasSubstr("a.mp4 has no sound; mend it"));
}

TEST_F(RenderProgressTest, FailsWhereASubmixDiffersFromTheShow) {
  cluster::NodeReport report;
  report.submixes = {{.name = "left", .error = "left.clip: a.mp4: there is no such file"}};
  progress_.take(report);
  EXPECT_THAT(progress_.failure(), HasSubstr("no such file"));
}

TEST(RenderPace, TellsSpeedAndTimeLeft) {
  RenderPace pace{.frames = 120, .frames_all = 3000, .rate = {30, 1}};
  pace.time = std::chrono::seconds(1);
  EXPECT_EQ(progress_text(pace), "frame 120 of 3000 (4 %), 4 x real time, 0:24 left");
  EXPECT_EQ(progress_text({.frames_all = 10}), "frame 0 of 10 (0 %)");
}

}  // namespace
}  // namespace submix::cli
