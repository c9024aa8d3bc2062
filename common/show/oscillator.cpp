// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/oscillator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace submix::show {
namespace {

// SplitMix64 by Steele, Lea and Flood. Neighbouring numbers give unrelated numbers, the same on
// every machine.
std::uint64_t mixed(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31U);
}

// A number from 0 to 1 for the number of a period, which may be negative.
double random_level(std::uint64_t seed, double period) {
  constexpr double kMost = 1e18;  // far below the values whose cast is undefined
  const double held = std::isnan(period) ? 0.0 : std::clamp(period, -kMost, kMost);
  const auto number = static_cast<std::uint64_t>(static_cast<std::int64_t>(held));
  return static_cast<double>(mixed(seed ^ mixed(number)) >> 11U) /
         static_cast<double>((1ULL << 53U) - 1);
}

double periods_in(std::optional<double> beats, double frequency, const Moment& moment) {
  return beats ? moment.beats / *beats : moment.seconds * frequency;
}

// The former pace that holds at `time`, before the oscillator's newest one. Null: none.
const FormerPace* former_at(const Oscillator& oscillator, std::chrono::nanoseconds time) {
  if (time >= oscillator.since || oscillator.before.empty()) return nullptr;
  const auto later = std::ranges::find_if(
      oscillator.before, [&](const FormerPace& pace) { return pace.since > time; });
  return later == oscillator.before.begin() ? &oscillator.before.front() : &*std::prev(later);
}

}  // namespace

// FNV-1a.
std::uint64_t seed_of(std::string_view name) {
  std::uint64_t seed = 0xCBF29CE484222325ULL;
  for (const char c : name)
    seed = (seed ^ static_cast<unsigned char>(c == '/' ? '.' : c)) * 0x100000001B3ULL;
  return seed;
}

double time_of(const Oscillator& oscillator, const Moment& moment) {
  return oscillator.beats ? moment.beats : moment.seconds;
}

double period_of(const Oscillator& oscillator) {
  return oscillator.beats ? *oscillator.beats : 1.0 / oscillator.frequency;
}

bool is_same_pace(const Oscillator& a, const Oscillator& b) {
  return a.beats ? a.beats == b.beats : !b.beats && a.frequency == b.frequency;
}

double periods_at(const Oscillator& oscillator, const Moment& moment) {
  if (oscillator.waveform == Waveform::one_shot) {
    const double passed = time_of(oscillator, moment) - oscillator.start;
    return oscillator.beats ? passed / *oscillator.beats : passed * oscillator.frequency;
  }
  if (const auto* former = former_at(oscillator, moment.time))
    return periods_in(former->beats, former->frequency, moment) + former->shift;
  // The sum in brackets is a former pace's shift: the same value to the last bit.
  return periods_in(oscillator.beats, oscillator.frequency, moment) +
         (oscillator.phase + oscillator.shift);
}

double level_after(const Oscillator& oscillator, double periods, std::uint64_t seed) {
  const double period = std::floor(periods);
  const double part = periods - period;
  switch (oscillator.waveform) {
    case Waveform::triangle:
      return part < 0.5 ? 2.0 * part : 2.0 - 2.0 * part;
    case Waveform::sine:
      return 0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * part);
    case Waveform::ramp_up:
      return part;
    case Waveform::ramp_down:
      return 1.0 - part;
    case Waveform::square:
      return part < 0.5 ? 1.0 : 0.0;
    case Waveform::pulse:
      return part < oscillator.width ? 1.0 : 0.0;
    case Waveform::random:
      return random_level(seed, period);
    case Waveform::random_ramp:
      return std::lerp(random_level(seed, period), random_level(seed, period + 1.0), part);
    case Waveform::one_shot:
      return std::clamp(periods, 0.0, 1.0);
    default:
      return 0.0;
  }
}

std::optional<double> loudness(Waveform waveform, const Sound& sound) {
  const auto within = [](double number) { return std::clamp(number, 0.0, 1.0); };
  switch (waveform) {
    case Waveform::sound_level:
      return within(sound.level);
    case Waveform::sound_bass:
      return within(sound.bass);
    case Waveform::sound_mids:
      return within(sound.mids);
    case Waveform::sound_highs:
      return within(sound.highs);
    case Waveform::sound_onset:
      return within(sound.onset);
    default:
      return std::nullopt;
  }
}

double value_at(const Oscillator& oscillator, const Moment& moment, std::uint64_t seed) {
  const auto heard = loudness(oscillator.waveform, moment.sound);
  const double level =
      heard ? *heard : level_after(oscillator, periods_at(oscillator, moment), seed);
  return std::lerp(oscillator.from, oscillator.to, level);
}

}  // namespace submix::show
