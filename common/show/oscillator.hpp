// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/tempo.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  // As loud as the show's sound; frequency, beats and phase have no meaning.
  sound_level,
  sound_bass,
  sound_mids,
  sound_highs,
  sound_onset,
};
inline constexpr int kWaveforms = 14;

/// How fast an oscillator moved before its newest change.
struct FormerPace {
  std::chrono::milliseconds since{0};  ///< of the show's time
  double frequency = 0.5;
  std::optional<double> beats = {};
  double shift = 0.0;  ///< periods, with the phase of that time

  friend bool operator==(const FormerPace&, const FormerPace&) = default;
};

/// How one parameter moves between `from` (level 0) and `to` (level 1). `to` may be the smaller
/// number.
///
/// State    None. The value is a function of the moment, so instances, nodes and rewinds agree.
///          Waveforms of sound also depend on what the node heard last, which may differ between
///          nodes for a frame.
///          A change of frequency is announced like a change of the tempo: announce() keeps the
///          former pace up to `since`, and sets `shift` so that nothing jumps.
struct Oscillator {
  Waveform waveform = Waveform::sine;
  double frequency = 0.5;            ///< periods in a second, unless `beats` are stated
  std::optional<double> beats = {};  ///< length of a period in beats
  double phase = 0.0;                ///< lead in periods, 0 to 1 in a show; not for a one-shot
  double width = 0.5;                ///< pulse: the share of each period at `to`
  double from = 0.0;
  double to = 1.0;
  /// One-shot: its start, in seconds, or in beats if beats are stated. Without shots: counted from
  /// the time at which the show gets the one-shot. Otherwise: from the zero of the show's time.
  double start = 0.0;
  /// One-shot: how often it was started. A higher count starts it again; see announce().
  std::int64_t shots = 0;
  bool is_on = true;  ///< off: the parameter has its stated value

  std::chrono::milliseconds since{0};   ///< of the show's time: begin of the present pace
  double shift = 0.0;                   ///< periods added to the phase, so that nothing jumps
  std::vector<FormerPace> before = {};  ///< the oldest first

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

/// Periods since moment 0, phase and shift included; for a one-shot, since its start. Pure, as are
/// the functions below.
[[nodiscard]] double periods_at(const Oscillator& oscillator, const Moment& moment);
/// The waveform's level, 0 to 1, after `periods` periods; 0 for a waveform of sound.
[[nodiscard]] double level_after(const Oscillator& oscillator, double periods, std::uint64_t seed);
/// The number of the sound that a waveform follows, 0 to 1. Empty: it follows the time.
[[nodiscard]] std::optional<double> loudness(Waveform waveform, const Sound& sound);
/// Whether it follows the show's sound, not its time.
[[nodiscard]] inline bool follows_sound(Waveform waveform) {
  return loudness(waveform, Sound()).has_value();
}
/// The parameter's value.
/// Cost     No allocation, some nanoseconds.
[[nodiscard]] double value_at(const Oscillator& oscillator, const Moment& moment,
                              std::uint64_t seed);

/// The moment in the oscillator's own unit: beats or seconds.
[[nodiscard]] double time_of(const Oscillator& oscillator, const Moment& moment);
/// The length of a period in the same unit.
[[nodiscard]] double period_of(const Oscillator& oscillator);
/// Whether both have periods of the same length, in the same unit.
[[nodiscard]] bool is_same_pace(const Oscillator& a, const Oscillator& b);

}  // namespace submix::show
