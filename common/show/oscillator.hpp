// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/tempo.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// Oscillators move numbers by themselves while the show runs.
namespace submix::show {

enum class Waveform {
  triangle,
  sine,
  ramp_up,
  ramp_down,
  square,
  pulse,        ///< a square wave with a width
  random,       ///< another value for each period
  random_ramp,  ///< ramps from one random value to the next
  one_shot,     ///< once from `from` to `to`, then stays
};
inline constexpr int kWaveforms = 9;

/// How one parameter moves between `from` (level 0) and `to` (level 1). `to` may be the smaller
/// number.
///
/// State    None. The value is a function of the moment, so instances, nodes and rewinds agree.
struct Oscillator {
  Waveform waveform = Waveform::sine;
  double frequency = 0.5;            ///< periods in a second, unless `beats` are stated
  std::optional<double> beats = {};  ///< length of a period in beats
  double phase = 0.0;                ///< lead in periods, 0 to 1 in a show; not for a one-shot
  double width = 0.5;                ///< pulse: the share of each period at `to`
  double from = 0.0;
  double to = 1.0;
  /// One-shot: its start, in seconds, or in beats if beats are stated.
  double start = 0.0;
  /// One-shot: how often a controller has started it. A higher count starts the one-shot when the
  /// change takes effect; `start` is ignored from then on.
  std::int64_t shots = 0;
  bool is_on = true;  ///< off: the parameter has its stated value

  friend bool operator==(const Oscillator&, const Oscillator&) = default;
};
using Oscillators = std::map<std::string, Oscillator, std::less<>>;  // by parameter

inline constexpr double kFrequencyMin = 0.0001;  // a period of almost three hours
inline constexpr double kFrequencyMax = 120.0;   // half of the fastest frame rate
inline constexpr double kBeatsMin = 1.0 / 64.0;
inline constexpr double kBeatsMax = 4096.0;
inline constexpr std::int64_t kShotsMax = 1'000'000'000;

/// The seed of random waveforms for the parameter `name`, "submix.slot.parameter". A copy's
/// "mix.look/blur.Amount" has the seed of "mix.look.blur.Amount", its name in the document.
[[nodiscard]] std::uint64_t seed_of(std::string_view name);

/// Periods since moment 0, phase included; for a one-shot, since its start. Pure, as are the
/// functions below.
[[nodiscard]] double periods_at(const Oscillator& oscillator, const Moment& moment);
/// The waveform's level, 0 to 1, after `periods` periods.
[[nodiscard]] double level_after(const Oscillator& oscillator, double periods, std::uint64_t seed);
/// The parameter's value.
/// Cost     No allocation, some nanoseconds.
[[nodiscard]] double value_at(const Oscillator& oscillator, const Moment& moment,
                              std::uint64_t seed);

/// The previous oscillator of a parameter whose oscillator changes.
struct FormerOscillator {
  std::optional<Oscillator> stated = {};  ///< as the show stated it, on or off
  /// As in_step() returned it; empty: the parameter did not move.
  std::optional<Oscillator> moving = {};
};

/// The stated oscillator as it moves from `moment` on, adjusted to continue where `former` is.
///
/// The phase, or a one-shot's start, is adjusted, so a change of frequency makes no jump. A change
/// of the stated phase is intended and takes effect. A one-shot that began in an earlier life of
/// the submix is over: then `former` states the same oscillator.
[[nodiscard]] Oscillator in_step(Oscillator stated, const FormerOscillator& former,
                                 const Moment& moment);

}  // namespace submix::show
