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

}  // namespace submix::testing
