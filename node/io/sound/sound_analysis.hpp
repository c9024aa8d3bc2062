// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/sound.hpp"
#include "node/io/sound/beat_tracking.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace submix::io {

/// Measures how loud a sound is, in total and by frequency bands, finds the beginnings of notes,
/// and its beat.
///
/// Each number compares the sound with its own loudest moments (automatic gain). A loud moment
/// counts half after 8 s. Numbers rise at once and fall by two thirds in 150 ms. A sound below -55
/// dBFS is silence.
///
/// Threads  Compatible. No clock: each hop advances the time.
/// Cost     hear(): about 110 µs, a third of it for the beat; no allocation.
/// Errors   None: any samples give numbers from 0 to 1, even infinite samples and NaN.
class SoundAnalysis {
 public:
  static constexpr std::size_t kHopSamples = BeatTracking::kHopSamples;

  /// `rate_hz`: 8,000 to 192,000.
  explicit SoundAnalysis(int rate_hz);
  ~SoundAnalysis();
  SoundAnalysis(const SoundAnalysis&) = delete;
  SoundAnalysis& operator=(const SoundAnalysis&) = delete;

  /// Takes the next samples of one channel, -1 to 1.
  [[nodiscard]] show::Sound hear(std::span<const float, kHopSamples> hop);
  /// The beat as of the last hop.
  [[nodiscard]] const Beat& beat() const { return beat_; }

 private:
  /// How fast the numbers move: shares per hop.
  struct Pace {
    double forget = 0.0;   ///< of a loud moment
    double learn = 0.0;    ///< of a louder moment
    double release = 0.0;  ///< of a falling number
    double onset = 0.0;    ///< of a falling onset
  };

  /// One number, with its automatic gain.
  class Meter {
   public:
    /// `floor`: the greatest loudness that counts as silence.
    explicit Meter(double floor) : peak_(floor), floor_(floor) {}

    /// `loudest_min`: the least loudness that the gain takes as the loudest. `openness`: 0 mutes, 1
    /// does not.
    [[nodiscard]] double follow(double loudness, double loudest_min, double openness,
                                const Pace& pace);
    /// The loudest of the last seconds.
    [[nodiscard]] double peak() const { return peak_; }

   private:
    double peak_;
    double floor_;
    double value_ = 0.0;
  };

  struct Transforms;

  /// Copies the samples without DC and NaN. Returns their mean square.
  double clean(std::span<const float, kHopSamples> hop);
  /// Whether a note begins in the hop.
  bool find_onset(bool is_silent);

  const Pace pace_;
  const std::unique_ptr<Transforms> transforms_;
  double last_input_ = 0.0;  // of the filter against DC
  double last_output_ = 0.0;
  double onset_ = 0.0;
  BeatTracking beats_;
  Beat beat_;
  Meter level_;
  Meter bass_;
  Meter mids_;
  Meter highs_;
};

}  // namespace submix::io
