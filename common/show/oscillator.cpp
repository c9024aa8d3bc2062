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

// The length of a period in the oscillator's own unit: beats or seconds.
double time_of(const Oscillator& oscillator, const Moment& moment) {
  return oscillator.beats ? moment.beats : moment.seconds;
}

double periods_in(const Oscillator& oscillator, double time) {
  return oscillator.beats ? time / *oscillator.beats : time * oscillator.frequency;
}

double period_of(const Oscillator& oscillator) {
  return oscillator.beats ? *oscillator.beats : 1.0 / oscillator.frequency;
}

bool is_same_period(const Oscillator& a, const Oscillator& b) {
  return a.beats ? a.beats == b.beats : !b.beats && a.frequency == b.frequency;
}

bool is_one_shot(const Oscillator& oscillator) {
  return oscillator.waveform == Waveform::one_shot;
}

Oscillator shot_in_step(Oscillator shot, const FormerOscillator& former, const Moment& moment) {
  const double now = time_of(shot, moment);
  const bool has_former = former.moving && is_one_shot(*former.moving) && former.stated &&
                          former.stated->start == shot.start;
  if (shot.shots > (former.stated ? former.stated->shots : 0)) {
    shot.start = now;
  } else if (has_former && is_same_period(shot, *former.moving)) {
    shot.start = former.moving->start;
  } else if (has_former) {
    shot.start = now - periods_at(*former.moving, moment) * period_of(shot);
  } else if (shot.shots > 0) {
    shot.start = now - 2.0 * period_of(shot);  // certainly over
  }
  return shot;
}

}  // namespace

// FNV-1a.
std::uint64_t seed_of(std::string_view name) {
  std::uint64_t seed = 0xCBF29CE484222325ULL;
  for (const char c : name)
    seed = (seed ^ static_cast<unsigned char>(c == '/' ? '.' : c)) * 0x100000001B3ULL;
  return seed;
}

double periods_at(const Oscillator& oscillator, const Moment& moment) {
  const double time = time_of(oscillator, moment);
  if (is_one_shot(oscillator)) return periods_in(oscillator, time - oscillator.start);
  return periods_in(oscillator, time) + oscillator.phase;
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
  }
  return 0.0;
}

double value_at(const Oscillator& oscillator, const Moment& moment, std::uint64_t seed) {
  return std::lerp(oscillator.from, oscillator.to,
                   level_after(oscillator, periods_at(oscillator, moment), seed));
}

Oscillator in_step(Oscillator stated, const FormerOscillator& former, const Moment& moment) {
  if (is_one_shot(stated)) return shot_in_step(stated, former, moment);
  if (!former.moving || !former.stated || is_one_shot(*former.moving)) return stated;
  if (stated.phase != former.stated->phase) return stated;
  // Keeps whole periods, too: a random waveform draws by the number of its period.
  stated.phase =
      is_same_period(stated, *former.moving)
          ? former.moving->phase
          : periods_at(*former.moving, moment) - periods_in(stated, time_of(stated, moment));
  return stated;
}

}  // namespace submix::show
