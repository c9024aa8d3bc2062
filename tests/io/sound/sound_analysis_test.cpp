// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/sound/sound_analysis.hpp"

#include "common/base/allocation_count.hpp"
#include "tests/io/sound/synthetic_sound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <span>
#include <vector>

namespace submix {

void PrintTo(const Sound& sound, std::ostream* out) {
  *out << "level " << sound.level << ", bass " << sound.bass << ", mids " << sound.mids
       << ", highs " << sound.highs << ", onset " << sound.onset;
}

}  // namespace submix

namespace submix::io {
namespace {

using testing::Samples;

constexpr auto kHop = SoundAnalysis::kHopSamples;
constexpr double kHopS = double{kHop} / testing::kSampleRateHz;

/// What the analysis says after each hop.
std::vector<show::Sound> hear(SoundAnalysis& analysis, const Samples& samples) {
  std::vector<show::Sound> heard;
  for (std::size_t begin = 0; begin + kHop <= samples.size(); begin += kHop)
    heard.push_back(analysis.hear(std::span(samples).subspan(begin).first<kHop>()));
  return heard;
}

std::vector<show::Sound> hear(const Samples& samples) {
  SoundAnalysis analysis(testing::kSampleRateHz);
  return hear(analysis, samples);
}

/// The largest of one number that is told from `begin` to before `end`, in seconds.
double largest(const std::vector<show::Sound>& heard, double show::Sound::* number, double begin,
               double end) {
  double found = 0.0;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    const auto told = static_cast<double>(i + 1) * kHopS;
    if (told >= begin && told < end) found = std::max(found, heard[i].*number);
  }
  return found;
}

double mean(const std::vector<show::Sound>& heard, double show::Sound::* number) {
  double sum = 0.0;
  for (const auto& sound : heard)
    sum += sound.*number;
  return sum / static_cast<double>(heard.size());
}

TEST(SoundAnalysis, HearsNothingInSilence) {
  EXPECT_THAT(hear(testing::silence(1.0)), ::testing::Each(show::Sound{}));
}

TEST(SoundAnalysis, HearsNothingInTheNoiseOfAnInputWithoutSound) {
  EXPECT_THAT(hear(testing::noise(5.0, 0.0025)), ::testing::Each(show::Sound{})) << "-57 dBFS";
}

TEST(SoundAnalysis, BassRisesAndANoteBeginsWithEachKick) {
  auto samples = testing::silence(10.0);
  std::vector<double> kicks;
  for (double time = 0.503; time < 9.5; time += 0.4713) {
    kicks.push_back(time);
    testing::mix(samples, time, testing::kick(0.7));
  }
  const auto heard = hear(samples);
  EXPECT_EQ(largest(heard, &show::Sound::onset, 0.0, kicks[0]), 0.0);
  for (const auto time : kicks) {
    EXPECT_LT(largest(heard, &show::Sound::bass, time - 2.0 * kHopS, time), 0.3) << time;
    EXPECT_GT(largest(heard, &show::Sound::bass, time, time + 0.05), 0.7) << time;
    EXPECT_EQ(largest(heard, &show::Sound::onset, time, time + 0.03), 1.0) << time;
    EXPECT_LT(largest(heard, &show::Sound::onset, time + 0.4, time + 0.45), 0.01) << time;
  }
  const auto notes = std::ranges::count(heard, 1.0, &show::Sound::onset);
  EXPECT_EQ(notes, std::ssize(kicks)) << "one for each";
}

TEST(SoundAnalysis, ANoteBeginsWithEachDrumOfADenseTrack) {
  auto samples = testing::noise(10.0, 0.02);
  testing::mix(samples, 0.0, testing::tone(10.0, 220.0, 0.05));
  testing::mix(samples, 0.0, testing::tone(10.0, 333.0, 0.05));
  testing::mix(samples, 0.0, testing::track(10.0, 0.5, 0.503));
  const auto heard = hear(samples);
  for (double time = 1.003; time < 9.0; time += 0.25)
    EXPECT_EQ(largest(heard, &show::Sound::onset, time, time + 0.05), 1.0) << time;
  EXPECT_LE(std::ranges::count(heard, 1.0, &show::Sound::onset), 40);
}

TEST(SoundAnalysis, NoNoteBeginsInAHeldChord) {
  auto samples = testing::tone(5.0, 220.0, 0.1);
  testing::mix(samples, 0.0, testing::tone(5.0, 277.0, 0.1));
  testing::mix(samples, 0.0, testing::tone(5.0, 330.0, 0.1));
  EXPECT_EQ(largest(hear(samples), &show::Sound::onset, 0.5, 5.0), 0.0);
}

TEST(SoundAnalysis, HiHatsAreHighs) {
  auto samples = testing::silence(4.0);
  for (double time = 0.0; time < 4.0; time += 0.25)
    testing::mix(samples, time, testing::hi_hat(0.5));
  const auto heard = hear(samples);
  EXPECT_GT(largest(heard, &show::Sound::highs, 1.0, 4.0), 0.9);
  EXPECT_LT(largest(heard, &show::Sound::bass, 1.0, 4.0), 0.05);
  EXPECT_LT(largest(heard, &show::Sound::mids, 1.0, 4.0), 0.3);
}

TEST(SoundAnalysis, AVoiceIsMids) {
  const auto heard = hear(testing::tone(3.0, 500.0, 0.3));
  EXPECT_GT(largest(heard, &show::Sound::mids, 1.0, 3.0), 0.9);
  EXPECT_LT(largest(heard, &show::Sound::bass, 1.0, 3.0), 0.05);
  EXPECT_LT(largest(heard, &show::Sound::highs, 1.0, 3.0), 0.05);
}

TEST(SoundAnalysis, GivesNearlyTheSameForAQuietTrackAndALoudOne) {
  const auto loud = hear(testing::track(12.0, 0.7));
  const auto quiet = hear(testing::track(12.0, 0.7 / 8.0));  // 18 dB
  double difference = 0.0;
  for (std::size_t i = loud.size() / 2; i < loud.size(); ++i) {
    for (const auto number :
         {&show::Sound::level, &show::Sound::bass, &show::Sound::mids, &show::Sound::highs})
      difference = std::max(difference, std::abs(loud[i].*number - quiet[i].*number));
  }
  EXPECT_LT(difference, 0.15);
  EXPECT_NEAR(mean(loud, &show::Sound::onset), mean(quiet, &show::Sound::onset), 0.05);
}

TEST(SoundAnalysis, GetsUsedToAQuieterTrack) {
  SoundAnalysis analysis(testing::kSampleRateHz);
  hear(analysis, testing::track(5.0, 0.8));
  const auto quiet = hear(analysis, testing::track(40.0, 0.1));
  EXPECT_LT(largest(quiet, &show::Sound::bass, 1.0, 2.0), 0.3);
  EXPECT_GT(largest(quiet, &show::Sound::bass, 38.0, 40.0), 0.9);
}

TEST(SoundAnalysis, EndsWithSilence) {
  SoundAnalysis analysis(testing::kSampleRateHz);
  hear(analysis, testing::track(3.0, 0.8));
  EXPECT_EQ(hear(analysis, testing::silence(2.0)).back(), show::Sound{});
}

TEST(SoundAnalysis, ASteadyVoltageIsSilence) {
  SoundAnalysis analysis(testing::kSampleRateHz);
  EXPECT_EQ(hear(analysis, Samples(testing::samples_in(3.0), 0.5F)).back(), show::Sound{});
}

TEST(SoundAnalysis, GivesNumbersForAnySamples) {
  using Limits = std::numeric_limits<float>;
  SoundAnalysis analysis(testing::kSampleRateHz);
  for (const float sample : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity(),
                             Limits::max(), Limits::lowest(), Limits::denorm_min(), -1.0F}) {
    auto samples = testing::noise(0.5, 1.0);
    for (std::size_t i = 0; i < samples.size(); i += 3)
      samples[i] = sample;
    samples.resize(samples.size() * 2, sample);
    for (const auto& sound : hear(analysis, samples)) {
      for (const auto number : {sound.level, sound.bass, sound.mids, sound.highs, sound.onset})
        ASSERT_TRUE(number >= 0.0 && number <= 1.0) << sample << ": " << number;
    }
  }
  EXPECT_GT(largest(hear(analysis, testing::track(20.0, 0.5)), &show::Sound::bass, 10.0, 20.0), 0.5)
      << "nothing of it stays";
}

TEST(SoundAnalysis, WorksAtOtherRates) {
  for (const int rate_hz : {8'000, 44'100, 192'000}) {
    SoundAnalysis analysis(rate_hz);
    EXPECT_GT(hear(analysis, testing::noise(1.0, 0.5)).back().mids, 0.5) << rate_hz;
  }
}

/// The beats that are sure, each with the time at which it was told, in seconds.
struct ToldBeat {
  double told = 0.0;
  Beat beat;
};
std::vector<ToldBeat> sure_beats(const Samples& samples) {
  SoundAnalysis analysis(testing::kSampleRateHz);
  std::vector<ToldBeat> told;
  for (std::size_t begin = 0; begin + kHop <= samples.size(); begin += kHop) {
    static_cast<void>(analysis.hear(std::span(samples).subspan(begin).first<kHop>()));
    if (analysis.beat().beats_per_minute > 0.0)
      told.push_back({static_cast<double>(begin + kHop) / testing::kSampleRateHz, analysis.beat()});
  }
  return told;
}

// The tempo or its half or double, within 1 %; the beats where they were played, within 40 ms.
void expect_beat(const std::vector<ToldBeat>& told, double beats_per_minute) {
  ASSERT_FALSE(told.empty());
  EXPECT_LT(told.front().told, 9.0) << "it takes so many seconds";
  for (const auto& [at, beat] : told) {
    if (at < told.front().told + 2.0) continue;
    const double octave = std::round(std::log2(beat.beats_per_minute / beats_per_minute));
    EXPECT_NEAR(beat.beats_per_minute / std::exp2(octave) / beats_per_minute, 1.0, 0.01) << at;
    const double period = 60.0 / std::max(beats_per_minute, beat.beats_per_minute);
    EXPECT_NEAR(std::remainder(at - beat.since_last.count() - 0.3, period), 0.0, 0.04) << at;
  }
  EXPECT_GT(told.back().told, 13.9) << "it stays";
}

TEST(SoundAnalysis, FindsTheBeatOfClicks) {
  for (const double beats_per_minute : {90.0, 120.0, 128.0, 174.0}) {
    SCOPED_TRACE(beats_per_minute);
    expect_beat(sure_beats(testing::clicks(14.0, beats_per_minute)), beats_per_minute);
  }
}

TEST(SoundAnalysis, FindsTheBeatOfDrums) {
  for (const double beats_per_minute : {90.0, 120.0, 128.0, 174.0}) {
    SCOPED_TRACE(beats_per_minute);
    expect_beat(sure_beats(testing::drums(14.0, beats_per_minute)), beats_per_minute);
  }
}

TEST(SoundAnalysis, IsSureOfNoBeatWhereThereIsNone) {
  auto two_tracks = testing::drums(25.0, 120.0);
  testing::mix(two_tracks, 0.2, testing::drums(25.0, 128.0));
  auto chord = testing::tone(15.0, 220.0, 0.1);
  testing::mix(chord, 0.0, testing::tone(15.0, 277.0, 0.1));
  EXPECT_TRUE(sure_beats(testing::silence(15.0)).empty());
  EXPECT_TRUE(sure_beats(testing::noise(25.0, 0.3)).empty());
  EXPECT_TRUE(sure_beats(testing::speech(25.0)).empty());
  EXPECT_TRUE(sure_beats(chord).empty());
  EXPECT_TRUE(sure_beats(two_tracks).empty());
}

TEST(SoundAnalysis, LosesTheBeatInABreak) {
  for (const auto& rest : {testing::silence(8.0), testing::speech(8.0), testing::noise(8.0, 0.1)}) {
    auto samples = testing::drums(10.0, 128.0);
    samples.insert(samples.end(), rest.begin(), rest.end());
    const auto told = sure_beats(samples);
    ASSERT_FALSE(told.empty());
    EXPECT_LT(told.back().told, 16.0);
    for (const auto& [at, beat] : told)
      EXPECT_NEAR(beat.beats_per_minute, 128.0, 2.6) << at;
  }
}

TEST(SoundAnalysis, AllocatesNothing) {
  if (!can_count_allocations()) GTEST_SKIP() << "a sanitizer counts";
  SoundAnalysis analysis(testing::kSampleRateHz);
  const auto samples = testing::track(4.0, 0.5);  // the beat is looked for every 1.4 s
  const auto before = thread_allocation_count();
  for (std::size_t begin = 0; begin + kHop <= samples.size(); begin += kHop)
    static_cast<void>(analysis.hear(std::span(samples).subspan(begin).first<kHop>()));
  EXPECT_EQ(thread_allocation_count(), before);
}

}  // namespace
}  // namespace submix::io
