// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/tempo.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

/// What lets a number move by itself while the show runs.
namespace submix::show {

enum class Waveform {
  triangle,
  sine,
  ramp_up,
  ramp_down,
  square,
  pulse,        ///< square with a width
  random,       ///< another value for each period
  random_ramp,  ///< from one to the next
  one_shot,     ///< once from A to B, and stays there
};
inline constexpr int kWaveforms = 9;

/// How one parameter moves, between `from` (level 0) and `to` (level 1), which may be the smaller one.
///
/// State    None: its value is a function of the moment, so that instances, nodes and rewinds agree.
struct Oscillator {
  Waveform waveform = Waveform::sine;
  double frequency = 0.5;            ///< periods in a second, unless `beats` are stated
  std::optional<double> beats = {};  ///< that a period lasts
  double phase = 0.0;  ///< how far ahead, in periods, 0 to 1 in a show; not of a one-shot
  double width = 0.5;  ///< of a pulse: the share of each period at `to`
  double from = 0.0;
  double to = 1.0;
  double start =
      0.0;  ///< of a one-shot: the moment at which it begins; beats where those are stated
  /// Of a one-shot: how often somebody has let it begin. One more begins it where it takes hold, and `start`
  /// means nothing any more.
  std::int64_t shots = 0;
  bool is_on = true;  ///< off: the parameter has the value that is stated

  friend bool operator==(const Oscillator&, const Oscillator&) = default;
};
using Oscillators = std::map<std::string, Oscillator, std::less<>>;  // by parameter

inline constexpr double kFrequencyMin = 0.0001;  // a period of almost three hours
inline constexpr double kFrequencyMax = 120.0;   // half of the fastest frame rate
inline constexpr double kBeatsMin = 1.0 / 64.0;
inline constexpr double kBeatsMax = 4096.0;
inline constexpr std::int64_t kShotsMax = 1'000'000'000;

/// Of `name`, "submix.slot.parameter": what random waveforms are drawn by. A copy's "mix.look/blur.Amount"
/// has the seed of "mix.look.blur.Amount", as the document calls it.
[[nodiscard]] std::uint64_t seed_of(std::string_view name);

/// Periods since moment 0 with the phase; a one-shot's since its start. Pure, as all below.
[[nodiscard]] double periods_at(const Oscillator& oscillator, const Moment& moment);
/// The waveform's level, 0 to 1, after so many periods.
[[nodiscard]] double level_after(const Oscillator& oscillator, double periods, std::uint64_t seed);
/// The parameter's value. Cost: no allocation, some nanoseconds.
[[nodiscard]] double value_at(const Oscillator& oscillator, const Moment& moment,
                              std::uint64_t seed);

/// What a parameter had when its oscillator changes.
struct FormerOscillator {
  std::optional<Oscillator> stated = {};  ///< by the show, also one that was off
  std::optional<Oscillator> moving = {};  ///< what in_step() gave; empty: it did not move
};

/// What the show states, as it moves from `moment` on: with the phase, or a one-shot's start, that lets it go
/// on where `former` is. So a change of frequency makes no jump; another phase is one that somebody wants.
/// In a submix that begins, a one-shot that had begun in a former life is over: `former` states the same.
[[nodiscard]] Oscillator in_step(Oscillator stated, const FormerOscillator& former,
                                 const Moment& moment);

}  // namespace submix::show
