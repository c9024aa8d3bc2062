// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/oscillator.hpp"

#include "common/show/document.hpp"
#include "common/show/macros.hpp"
#include "common/show/parse.hpp"
#include "common/show/plugin_form.hpp"
#include "tests/show/problems_of.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace submix::show {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using ms = std::chrono::milliseconds;

constexpr FrameRate kEight{8, 1};  // a period of a second has eight frames

// The first frames of an oscillator with one period a second.
std::vector<double> course(Waveform waveform, std::uint64_t frames = 8,
                           Oscillator oscillator = {}) {
  oscillator.waveform = waveform;
  oscillator.frequency = 1.0;
  std::vector<double> values;
  for (std::uint64_t i = 0; i < frames; ++i)
    values.push_back(value_at(oscillator, moment_of({}, kEight, {i}), seed_of("left.glow.Blur")));
  return values;
}

TEST(Oscillator, HasTheCourseOfEachWaveform) {
  const auto near = [](double value) { return DoubleNear(value, 1e-12); };
  EXPECT_THAT(course(Waveform::triangle), ElementsAre(0, 0.25, 0.5, 0.75, 1, 0.75, 0.5, 0.25));
  EXPECT_THAT(course(Waveform::sine),
              ElementsAre(0, near(0.14644660940672624), near(0.5), near(0.8535533905932737),
                          near(1), near(0.8535533905932737), near(0.5), near(0.14644660940672624)));
  EXPECT_THAT(course(Waveform::ramp_up),
              ElementsAre(0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875));
  EXPECT_THAT(course(Waveform::ramp_down),
              ElementsAre(1, 0.875, 0.75, 0.625, 0.5, 0.375, 0.25, 0.125));
  EXPECT_THAT(course(Waveform::square), ElementsAre(1, 1, 1, 1, 0, 0, 0, 0));
  EXPECT_THAT(course(Waveform::pulse, 8, {.width = 0.25}), ElementsAre(1, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(course(Waveform::one_shot, 12),
              ElementsAre(0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1, 1, 1, 1));
}

TEST(Oscillator, FollowsTheNumberOfTheSoundThatItsWaveformNames) {
  Moment moment{.seconds = 3, .sound = {0.1, 0.2, 0.3, 0.4, 0.5}};
  const auto value = [&](Waveform waveform) {
    return value_at({.waveform = waveform, .from = 0, .to = 10}, moment, 7);
  };
  EXPECT_DOUBLE_EQ(value(Waveform::sound_level), 1);
  EXPECT_DOUBLE_EQ(value(Waveform::sound_bass), 2);
  EXPECT_DOUBLE_EQ(value(Waveform::sound_mids), 3);
  EXPECT_DOUBLE_EQ(value(Waveform::sound_highs), 4);
  EXPECT_DOUBLE_EQ(value(Waveform::sound_onset), 5);
  moment.sound = {.level = 1e9, .bass = -1e9};  // by a node that is wrong
  EXPECT_DOUBLE_EQ(value(Waveform::sound_level), 10);
  EXPECT_DOUBLE_EQ(value(Waveform::sound_bass), 0);
  EXPECT_TRUE(follows_sound(Waveform::sound_onset));
  EXPECT_FALSE(follows_sound(Waveform::one_shot));
}

// These numbers must never change: known shows would look different.
TEST(Oscillator, DrawsTheSameRandomNumbersForEver) {
  const auto near = [](double value) { return DoubleNear(value, 1e-12); };
  const auto steps = course(Waveform::random, 24);
  EXPECT_EQ(steps[0], steps[7]);
  EXPECT_THAT(
      (std::vector{steps[0], steps[8], steps[16]}),
      ElementsAre(near(0.8249035867221692), near(0.35660252041516777), near(0.8132411674553763)));
  const auto ramps = course(Waveform::random_ramp, 24);
  EXPECT_EQ(ramps[8], steps[8]);
  EXPECT_DOUBLE_EQ(ramps[4], (steps[0] + steps[8]) / 2);
}

TEST(Oscillator, DrawsOthersForAnotherParameterAndTheDocumentsForACopy) {
  EXPECT_NE(seed_of("left.glow.Blur"), seed_of("left.glow.Blue"));
  EXPECT_EQ(seed_of("mix.look/blur.Amount"), seed_of("mix.look.blur.Amount"));
}

TEST(Oscillator, MovesBetweenItsEndsAlsoDownwards) {
  EXPECT_THAT(course(Waveform::ramp_up, 5, {.from = 0.8, .to = 0.2}),
              ElementsAre(DoubleNear(0.8, 1e-12), DoubleNear(0.725, 1e-12), DoubleNear(0.65, 1e-12),
                          DoubleNear(0.575, 1e-12), DoubleNear(0.5, 1e-12)));
}

TEST(Oscillator, IsAheadByItsPhase) {
  EXPECT_THAT(course(Waveform::ramp_up, 4, {.phase = 0.75}), ElementsAre(0.75, 0.875, 0, 0.125));
}

TEST(Oscillator, KeepsBeats) {
  const Tempo tempo{.beats_per_minute = 120};  // a beat has four frames
  Oscillator oscillator{.waveform = Waveform::ramp_up, .beats = 0.5};
  EXPECT_EQ(value_at(oscillator, moment_of(tempo, kEight, {1}), 0), 0.5);
  oscillator.beats = 4;
  EXPECT_EQ(value_at(oscillator, moment_of(tempo, kEight, {8}), 0), 0.5);
}

TEST(Oscillator, BeginsAOneShotAtItsStart) {
  const Oscillator shot{.waveform = Waveform::one_shot, .frequency = 2, .start = 10};
  EXPECT_EQ(value_at(shot, {.seconds = 3}, 0), 0.0);
  EXPECT_EQ(value_at(shot, {.seconds = 10.25}, 0), 0.5);
  EXPECT_EQ(value_at(shot, {.seconds = 1000}, 0), 1.0);
}

TEST(Oscillator, DrawsRandomNumbersAlsoOfPeriodsBeyondAllReason) {
  const Oscillator random{.waveform = Waveform::random, .frequency = 120};
  for (const double seconds : {1e300, -1e300, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
    const double level = level_after(random, seconds, 7);
    EXPECT_TRUE(level >= 0.0 && level <= 1.0) << seconds;
  }
}

// Oscillators in the document.

const std::string kOscillators = R"([show]
name = "duo"
tempo = 96
master_speed = 0.5
[[submix]]
name = "left"
[[submix.slot]]
name = "clip"
plugin = "clip"
parameters = { file = "x.mp4", speed = 2 }
[submix.slot.oscillators]
speed = { waveform = "random-ramp", beats = "1/4", phase = 0.5, from = 2, to = 0.5, on = false }
in = { waveform = "pulse", frequency = 3, width = 0.1 }
)";

std::string oscillators_with(const std::string& part, const std::string& replacement) {
  auto text = kOscillators;
  text.replace(text.find(part), part.size(), replacement);
  return text;
}
TEST(Oscillators, AreReadAndWritten) {
  const auto show = parse(kOscillators, "show.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  EXPECT_EQ(show->tempo, (Tempo{96, 0.5}));
  const auto& oscillators = show->submixes[0].slots[0].oscillators;
  EXPECT_EQ(oscillators.at("speed"), (Oscillator{.waveform = Waveform::random_ramp,
                                                 .beats = 0.25,
                                                 .phase = 0.5,
                                                 .from = 2,
                                                 .to = 0.5,
                                                 .is_on = false}));
  EXPECT_EQ(oscillators.at("in"),
            (Oscillator{.waveform = Waveform::pulse, .frequency = 3, .beats = {}, .width = 0.1}));
  EXPECT_EQ(parse(to_toml(*show), "again").value(), *show);
}

TEST(Oscillators, AreReadAndWrittenWithTheirFormerPaces) {
  auto show = parse(kOscillators, "show.toml").value();
  show.tempo = changed(changed(show.tempo, 97, 1, ms(1000)), 98.5, 1.5, ms(2000));
  auto& oscillator = show.submixes[0].slots[0].oscillators.at("in");
  oscillator.since = ms(2000);
  oscillator.shift = -0.3;
  oscillator.before = {{ms(0), 0.5, {}, 0.1}, {ms(1000), 0.5, 4.0, 0.2}};
  const auto again = parse(to_toml(show), "again");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(*again, show);
}

TEST(Oscillators, AreRefusedWithTheLimitAndTheRemedy) {
  const auto shape = [](const std::string& settings) {
    return problems_of(
        oscillators_with("{ waveform = \"pulse\", frequency = 3, width = 0.1 }", settings));
  };
  EXPECT_EQ(shape("{ waveform = \"saw\" }"),
            "show.toml:13: submix \"left\", slot \"clip\", oscillator of \"in\": waveform \"saw\" "
            "is not known; there are: triangle, sine, ramp-up, ramp-down, square, pulse, random, "
            "random-ramp, one-shot, sound-level, sound-bass, sound-mids, sound-highs, sound-onset");
  EXPECT_THAT(shape("{ waveform = \"sien\" }"), HasSubstr("did you mean \"sine\""));
  EXPECT_THAT(shape("{ frequency = 1 }"), HasSubstr("waveform is missing"));
  EXPECT_THAT(shape("{ waveform = \"sine\", frequency = 0 }"),
              HasSubstr("frequency = 0 is not within 0.0001 to 120; periods in a second"));
  EXPECT_THAT(shape("{ waveform = \"sine\", beats = 9999 }"),
              HasSubstr("beats = 9999 is not within 0.015625 to 4096"));
  EXPECT_THAT(shape("{ waveform = \"sine\", beats = \"1/0\" }"),
              HasSubstr("neither a number nor a fraction"));
  EXPECT_THAT(shape("{ waveform = \"sine\", beats = 1, frequency = 1 }"),
              HasSubstr("take one of them out"));
  EXPECT_THAT(shape("{ waveform = \"sine\", phase = 1.5 }"),
              HasSubstr("phase = 1.5 is not within 0 to 1"));
  EXPECT_THAT(shape("{ waveform = \"sine\", width = -1 }"),
              HasSubstr("width = -1 is not within 0 to 1"));
  EXPECT_THAT(shape("{ waveform = \"one-shot\", shots = -1 }"),
              HasSubstr("shots = -1 is not within 0 to"));
  EXPECT_THAT(shape("{ waveform = \"sine\", since = -1 }"),
              HasSubstr("since = -1 is not within 0 to"));
  EXPECT_THAT(shape("{ waveform = \"sine\", since = 5, before = [{ since = 6 }] }"),
              HasSubstr("before: since = 6 is not within 0 to 5"));
  EXPECT_THAT(shape("{ waveform = \"sine\", before = [{}, {}, {}, {}] }"), HasSubstr("before"));
  EXPECT_THAT(shape("{ waveform = \"sine\", from = nan }"), HasSubstr("from is not a number"));
  EXPECT_THAT(shape("{ waveform = \"sine\", speed = 1 }"), HasSubstr("unknown key \"speed\""));
  EXPECT_THAT(shape("{ waveform = \"sine\", speed = 1 }"), Not(HasSubstr("frequency, frequency")));
  EXPECT_THAT(shape("3"), HasSubstr("must be a table"));
  EXPECT_THAT(
      problems_of(oscillators_with("\nin =", "\nfile =")),
      HasSubstr("oscillator of \"file\": the parameter is \"x.mp4\", and only a number can move"));
}

TEST(Tempo, IsRefusedBeyondItsLimits) {
  EXPECT_THAT(problems_of(oscillators_with("tempo = 96", "tempo = 5")),
              HasSubstr("show.toml:3: show: tempo = 5 is not within 10 to 999"));
  EXPECT_THAT(problems_of(oscillators_with("master_speed = 0.5", "master_speed = -1")),
              HasSubstr("0 holds all of them"));
  EXPECT_THAT(
      problems_of(oscillators_with("tempo = 96", "tempo_begin = { since = 1, beats = inf }")),
      HasSubstr("tempo_begin.beats = inf is not within"));
  EXPECT_THAT(problems_of(oscillators_with("tempo = 96", "former_tempos = [{ tempo = 5 }]")),
              HasSubstr("former_tempos[0].tempo = 5 is not within 10 to 999"));
}

TEST(Oscillators, AreCheckedByThePlugin) {
  const auto show = parse(kOscillators, "show.toml").value();
  const PluginForm clip{
      .inputs = 0, .parameters = {"file", "speed", "in"}, .numbers = {{"speed", {0, 4}}}};
  const auto problems = to_string(check_plugins(show, 0, {{"clip", clip}}));
  EXPECT_EQ(problems,
            "submix \"left\", slot \"clip\": oscillator of \"in\": only numbers of sources, "
            "filters and mixers can move; take the oscillator out");
  auto narrow = clip;
  narrow.numbers = {{"speed", {0, 1}}, {"in", {0, 10}}};
  EXPECT_THAT(to_string(check_plugins(show, 0, {{"clip", narrow}})),
              HasSubstr("oscillator of \"speed\": its range 2 to 0.5 is not within 0 to 1"));
  EXPECT_THAT(
      to_string(check_plugins(show, 0, {{"clip", {.inputs = 0, .parameters = {"file", "speed"}}}})),
      HasSubstr("has no parameter \"in\""));
}

// Oscillators in submixes used inside others.

const std::string kOscillatorLook = R"([show]
name = "x"
[[submix]]
name = "look"
[[submix.slot]]
name = "in"
plugin = "stream-in"
[[submix.slot]]
name = "blur"
plugin = "frei0r/blur"
[submix.slot.oscillators]
Amount = { waveform = "sine" }
Size = { waveform = "square" }
Kernel = { waveform = "ramp-up" }
[[submix.slot]]
name = "out"
plugin = "stream-out"
[[submix]]
name = "left"
[[submix.slot]]
name = "p"
plugin = "pattern"
[[submix.slot]]
name = "a"
plugin = "submix/look"
parameters = { "blur.Kernel" = 0.5 }
[submix.slot.oscillators]
"blur.Size" = { waveform = "triangle" }
)";

TEST(Oscillators, OfAUseTakeThePlaceOfTheSubmixsOwn) {
  const auto show = parse(kOscillatorLook, "look.toml");
  ASSERT_TRUE(show) << to_string(show.error());
  const auto expanded = expand(*show);
  const auto* blur = expanded.find_slot({"left", "a/blur"});
  ASSERT_NE(blur, nullptr);
  EXPECT_EQ(blur->oscillators, (Oscillators{{"Amount", {.waveform = Waveform::sine}},
                                            {"Size", {.waveform = Waveform::triangle}}}));
  EXPECT_EQ(expanded.find_slot({"look", "blur"})->oscillators.size(), 3U);
}

TEST(Oscillators, OfAUseNameASlotOfTheSubmix) {
  auto text = kOscillatorLook;
  text.replace(text.find("\"blur.Size\""), 11, "\"blurr.Size\"");
  EXPECT_THAT(problems_of(text), HasSubstr("did you mean \"blur\""));
  const auto show = parse(kOscillatorLook, "look.toml").value();
  const PluginForm blur{
      .inputs = 1, .parameters = {"Amount", "Size"}, .numbers = {{"Size", {0, 2}}}};
  EXPECT_EQ(form_of_macro(show, show.submixes[0], {{"frei0r/blur", blur}})
                .numbers.at("blur.Size")
                .maximum,
            2.0);
}

}  // namespace
}  // namespace submix::show
