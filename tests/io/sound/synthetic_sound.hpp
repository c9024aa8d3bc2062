// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

/// Sounds that tests make: one channel, 48 kHz.
namespace submix::testing {

using Samples = std::vector<float>;

inline constexpr int kSampleRateHz = 48'000;

inline std::size_t samples_in(double seconds) {
  return static_cast<std::size_t>(std::lround(seconds * kSampleRateHz));
}

inline Samples silence(double seconds) {
  return Samples(samples_in(seconds));
}

inline Samples tone(double seconds, double hz, double amplitude) {
  Samples samples(samples_in(seconds));
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<float>(
        amplitude * std::sin(2.0 * std::numbers::pi * hz * static_cast<double>(i) / kSampleRateHz));
  return samples;
}

/// White noise, the same at each call.
inline Samples noise(double seconds, double amplitude) {
  std::minstd_rand random;
  std::uniform_real_distribution<float> values(-1.0F, 1.0F);
  Samples samples(samples_in(seconds));
  for (auto& sample : samples)
    sample = static_cast<float>(amplitude) * values(random);
  return samples;
}

/// A drum whose tone falls from 150 to 50 Hz and fades in a tenth of a second.
inline Samples kick(double amplitude) {
  Samples samples(samples_in(0.3));
  double phase = 0.0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto time = static_cast<double>(i) / kSampleRateHz;
    phase += 2.0 * std::numbers::pi * (50.0 + 100.0 * std::exp(-time / 0.03)) / kSampleRateHz;
    samples[i] = static_cast<float>(amplitude * std::sin(phase) * std::exp(-time / 0.1));
  }
  return samples;
}

/// Noise without low frequencies, which fades in 30 ms.
inline Samples hi_hat(double amplitude) {
  auto samples = noise(0.1, amplitude);
  for (int i = 0; i < 2; ++i) {
    float before = 0.0F;
    for (auto& sample : samples)
      sample = (sample - std::exchange(before, sample)) / 2.0F;
  }
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] *= static_cast<float>(std::exp(-static_cast<double>(i) / kSampleRateHz / 0.03));
  return samples;
}

/// Noise that fades in 4 ms.
inline Samples click(double amplitude) {
  auto samples = noise(0.02, amplitude);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] *= static_cast<float>(std::exp(-static_cast<double>(i) / kSampleRateHz / 0.004));
  return samples;
}

/// Adds `sound` to `samples` at `seconds`, as far as they reach.
inline void mix(Samples& samples, double seconds, const Samples& sound) {
  const auto begin = samples_in(seconds);
  for (std::size_t i = 0; i < sound.size() && begin + i < samples.size(); ++i)
    samples[begin + i] += sound[i];
}

/// 120 beats a minute: a kick on each beat from `first` on, a hi-hat between, and a voice.
inline Samples track(double seconds, double amplitude, double first = 0.0) {
  auto samples = tone(seconds, 600.0, amplitude * 0.1);
  for (double time = first; time < seconds; time += 0.5) {
    mix(samples, time, kick(amplitude));
    mix(samples, time + 0.25, hi_hat(amplitude * 0.5));
  }
  return samples;
}

/// A click on each beat from 0.3 s on, in noise.
inline Samples clicks(double seconds, double beats_per_minute) {
  auto samples = noise(seconds, 0.02);
  for (double time = 0.3; time < seconds; time += 60.0 / beats_per_minute)
    mix(samples, time, click(0.5));
  return samples;
}

/// A kick on each beat from 0.3 s on, a hi-hat between, and a snare on each second beat, in noise.
inline Samples drums(double seconds, double beats_per_minute) {
  auto samples = noise(seconds, 0.05);
  const double period = 60.0 / beats_per_minute;
  bool has_snare = false;
  for (double time = 0.3; time < seconds; time += period, has_snare = !has_snare) {
    mix(samples, time, kick(0.5));
    mix(samples, time + period / 2.0, hi_hat(0.3));
    if (has_snare) mix(samples, time, hi_hat(0.6));
  }
  return samples;
}

/// Syllables of uneven length, with pauses, the same at each call.
inline Samples speech(double seconds) {
  std::minstd_rand random(2);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  auto samples = noise(seconds, 0.002);
  for (double time = 0.1; time < seconds;) {
    const double length = 0.08 + 0.2 * share(random);
    auto syllable = tone(length, 110.0 + 120.0 * share(random), 0.2);
    mix(syllable, 0.0, tone(length, 500.0 + 1500.0 * share(random), 0.1));
    for (std::size_t i = 0; i < syllable.size(); ++i)
      syllable[i] *= static_cast<float>(std::sin(std::numbers::pi * static_cast<double>(i) /
                                                 static_cast<double>(syllable.size())));
    mix(samples, time, syllable);
    time += length * (0.8 + 0.4 * share(random));
    if (share(random) < 0.15) time += 0.2 + 0.6 * share(random);
  }
  return samples;
}

}  // namespace submix::testing
