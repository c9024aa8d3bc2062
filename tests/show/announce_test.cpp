// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/announce.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace submix::show {
namespace {

using std::chrono::milliseconds;
using namespace std::chrono_literals;

constexpr milliseconds kEvening = 1'795'000'000'000ms;

Show show_with(const Oscillator& oscillator, const Tempo& tempo = {}) {
  Slot slot{.name = "glow", .plugin = "frei0r/glow", .parameters = {}, .inputs = {}};
  slot.oscillators.emplace("Blur", oscillator);
  Show show;
  show.tempo = tempo;
  show.submixes.push_back({"left", "", {slot}});
  return show;
}

const Oscillator& oscillator_of(const Show& show) {
  return show.submixes[0].slots[0].oscillators.at("Blur");
}

double value_in(const Show& show, milliseconds time) {
  return value_at(oscillator_of(show), moment_at(show.tempo, time), 5);
}

// As a writer does it: `after` as a person stated it.
Show announced(const Show& before, Show after, milliseconds at) {
  announce(&before, after, at);
  return after;
}

// Whether nothing jumps at `at`, and nothing changes before it.
void expect_smooth(const Show& before, const Show& after, milliseconds at, int waveform) {
  EXPECT_NEAR(value_in(after, at), value_in(before, at), 1e-4) << waveform;
  for (const auto time : {at - 250ms, at - 1ms})
    EXPECT_EQ(value_in(after, time), value_in(before, time)) << waveform;
}

TEST(Announce, LetsAnOscillatorGoOnFromWhereItIsWhenItsFrequencyChanges) {
  for (int i = 0; i < kWaveforms; ++i) {
    const Oscillator slow{.waveform = static_cast<Waveform>(i), .frequency = 0.3, .phase = 0.2};
    if (slow.waveform == Waveform::one_shot) continue;
    const auto before = show_with(slow);
    auto fast = slow;
    fast.frequency = 7.1;
    const auto first = announced(before, show_with(fast), kEvening);
    expect_smooth(before, first, kEvening, i);
    EXPECT_EQ(oscillator_of(first).phase, 0.2) << "stated by a person";

    const auto second = announced(first, before, kEvening + 250ms);
    expect_smooth(first, second, kEvening + 250ms, i);
  }
}

TEST(Announce, LetsAnOscillatorGoOnWhenItKeepsBeatsFromNowOn) {
  const Oscillator free{.waveform = Waveform::random_ramp, .frequency = 0.3};
  auto bound = free;
  bound.beats = 3;
  const auto before = show_with(free);
  expect_smooth(before, announced(before, show_with(bound), kEvening), kEvening, 7);
}

TEST(Announce, KeepsTheTimeOfWhatDidNotChange) {
  const Oscillator slow{.waveform = Waveform::sine, .frequency = 0.3};
  auto fast = slow;
  fast.frequency = 7.1;
  const auto running = announced(show_with(slow), show_with(fast), kEvening);
  fast.to = 3;
  const auto wider = announced(running, show_with(fast), kEvening + 1h);
  auto expected = oscillator_of(running);
  expected.to = 3;
  EXPECT_EQ(oscillator_of(wider), expected);
  EXPECT_EQ(announced(running, show_with(slow, {.beats_per_minute = 90}), kEvening + 1h).tempo,
            changed({}, 90, 1, kEvening + 1h));
}

TEST(Announce, AddsAPhaseThatSomebodyStates) {
  const Oscillator stated{.waveform = Waveform::ramp_up, .frequency = 0.3};
  auto fast = stated;
  fast.frequency = 0.7;
  const auto running = announced(show_with(stated), show_with(fast), kEvening);
  auto ahead = fast;
  ahead.phase = 0.25;
  const auto after = announced(running, show_with(ahead), kEvening + 1s);
  EXPECT_NEAR(std::fmod(value_in(running, kEvening + 5s) + 0.25, 1.0),
              value_in(after, kEvening + 5s), 1e-4);
}

TEST(Announce, PutsAnOscillatorInStepWhenItIsSwitchedOn) {
  Oscillator off{.waveform = Waveform::ramp_up, .is_on = false};
  off.shift = 0.3;
  auto on = off;
  on.is_on = true;
  EXPECT_EQ(oscillator_of(announced(show_with(off), show_with(on), kEvening)),
            (Oscillator{.waveform = Waveform::ramp_up}));
}

TEST(Announce, LetsATempoChangeMakeNoJump) {
  const Oscillator bound{.waveform = Waveform::ramp_up, .beats = 4};
  const auto before = show_with(bound, {.beats_per_minute = 97});
  const auto after = announced(before, show_with(bound, {.beats_per_minute = 180}), kEvening);
  expect_smooth(before, after, kEvening, 2);
  const auto back = announced(after, before, kEvening + 1h);  // an undo
  expect_smooth(after, back, kEvening + 1h, 2);
  EXPECT_EQ(back.tempo.beats_per_minute, 97);
}

TEST(Announce, LetsATempoStandThatWasAnnouncedAlready) {
  const auto before = show_with({});
  const auto synced = show_with({}, with_beat(before.tempo, 0, kEvening));
  EXPECT_FALSE(needs_announcement(&before, synced));
  EXPECT_EQ(announced(before, synced, kEvening + 1h).tempo, synced.tempo);
}

TEST(Announce, KeepsBeatsWhereTheyAreSetAnewAndAFrequencyChanges) {
  const auto before = show_with({.waveform = Waveform::ramp_up, .beats = 4});
  auto after =
      show_with({.waveform = Waveform::ramp_up, .beats = 8}, with_beat(before.tempo, 0, kEvening));
  announce(&before, after, kEvening);
  EXPECT_NEAR(value_in(after, kEvening), value_in(before, kEvening), 1e-4);
}

// The desk's clock was an hour ahead and was set right. A tempo that was announced before that
// seemed to begin in an hour, and each later change with it.
TEST(Announce, LetsATempoChangeAfterTheClockWasSetBack) {
  const Oscillator bound{.waveform = Waveform::ramp_up, .beats = 4};
  const auto first = show_with(bound, {.beats_per_minute = 97});
  const auto second = announced(first, show_with(bound, {.beats_per_minute = 180}), kEvening + 1h);
  auto wanted = second;
  wanted.tempo.beats_per_minute = 60;
  const auto third = announced(second, wanted, kEvening);
  EXPECT_EQ(third.tempo.since, kEvening);
  expect_smooth(second, third, kEvening, 2);
  EXPECT_NEAR(moment_at(third.tempo, kEvening + 1s).beats,
              moment_at(second.tempo, kEvening).beats + 1.0, 1e-4);
}

TEST(Announce, LetsABeatBeSetAfterTheClockWasSetBack) {
  const auto first = show_with({}, {.beats_per_minute = 97});
  const auto second = announced(first, show_with({}, {.beats_per_minute = 180}), kEvening + 1h);
  const auto synced = show_with({}, with_beat(second.tempo, 0, kEvening));
  EXPECT_EQ(announced(second, synced, kEvening + 250ms).tempo, synced.tempo);
  EXPECT_EQ(moment_at(synced.tempo, kEvening).beats, 0.0);
}

TEST(Announce, LetsAnOscillatorChangeAfterTheClockWasSetBack) {
  const Oscillator slow{.waveform = Waveform::ramp_up, .frequency = 0.1};
  auto fast = slow;
  fast.frequency = 0.2;
  auto slowest = slow;
  slowest.frequency = 0.05;
  const auto second = announced(show_with(slow), show_with(fast), kEvening + 1h);
  const auto third = announced(second, show_with(slowest), kEvening);
  EXPECT_EQ(oscillator_of(third).since, kEvening);
  EXPECT_NEAR(value_in(third, kEvening), value_in(second, kEvening), 1e-4);
  EXPECT_NEAR(std::fmod(value_in(third, kEvening) + 0.05, 1.0), value_in(third, kEvening + 1s),
              1e-4);
}

TEST(Announce, BeginsAOneShotAtTheAnnouncedTime) {
  const Oscillator shot{.waveform = Waveform::one_shot, .frequency = 2, .shots = 1};
  const auto first = announced(Show{}, show_with(shot), kEvening);
  EXPECT_EQ(value_in(first, kEvening), 0.0);
  EXPECT_NEAR(value_in(first, kEvening + 250ms), 0.5, 1e-6);
  auto again = oscillator_of(first);
  ++again.shots;
  again.beats = 4;
  const auto second = announced(first, show_with(again), kEvening + 1h);
  EXPECT_EQ(value_in(second, kEvening + 1h), 0.0);
  EXPECT_NEAR(value_in(second, kEvening + 1h + 1s), 0.5, 1e-6);
}

TEST(Announce, LetsAOneShotGoOn) {
  Oscillator shot{.waveform = Waveform::one_shot, .frequency = 0.25, .shots = 1};
  const auto first = announced(Show{}, show_with(shot), kEvening);
  EXPECT_EQ(announced(first, first, kEvening + 1s), first);
  shot.frequency = 0.5;
  const auto faster = announced(first, show_with(shot), kEvening + 1s);
  EXPECT_NEAR(value_in(faster, kEvening + 1s), 0.25, 1e-6);
  EXPECT_NEAR(value_in(faster, kEvening + 2s), 0.75, 1e-6);
}

TEST(Announce, CountsAOneShotsStartFromTheTimeAtWhichTheShowGetsIt) {
  const Oscillator shot{.waveform = Waveform::one_shot, .frequency = 1, .start = 10};
  auto show = show_with(shot);
  EXPECT_TRUE(needs_announcement(nullptr, show));
  announce(nullptr, show, kEvening);
  EXPECT_EQ(value_in(show, kEvening + 10s), 0.0);
  EXPECT_NEAR(value_in(show, kEvening + 10'500ms), 0.5, 1e-6);

  const auto reopened = announced(show, show_with(shot), kEvening + 1h);
  EXPECT_EQ(reopened, show) << "a file that is applied again begins no one-shot again";
  auto saved = show;
  announce(nullptr, saved, kEvening + 1h);
  EXPECT_EQ(saved, show);
}

TEST(Announce, HasNothingToDoForAnOrdinaryEdit) {
  const auto before = show_with({.waveform = Waveform::sine});
  auto after = before;
  after.submixes[0].slots[0].parameters["Blur"] = 0.5;
  EXPECT_FALSE(needs_announcement(&before, after));
  EXPECT_FALSE(needs_announcement(nullptr, before));
  after.tempo.beats_per_minute = 90;
  EXPECT_TRUE(needs_announcement(&before, after));
}

}  // namespace
}  // namespace submix::show
