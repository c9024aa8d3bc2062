// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "node/io/sound/beat_line.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace submix::io {

/// The beat of a sound at one moment.
struct Beat {
  double beats_per_minute = 0.0;  ///< 0: no beat is sure
  double confidence = 0.0;        ///< 0 to 1, as aubio's tracker says; noise has 0.1
  /// From the last beat to the end of the sound heard so far. Valid only with a sure beat.
  std::chrono::duration<double> since_last{0.0};
};

/// Finds the beat of music by aubio's tracker.
///
/// A beat is sure while aubio's confidence is 0.37 or more, and the last 8 to 16 beats lie on a
/// line, within 4 % of a beat. The tempo is the slope of this line. It is more exact than aubio's
/// own, which is 1.4 % too fast at 120 beats a minute.
///
/// Threads  Compatible. No clock: each hop advances the time.
/// Cost     hear(): about 35 µs, no allocation.
class BeatTracking {
 public:
  static constexpr std::size_t kHopSamples = 512;

  /// `rate_hz`: 8,000 to 192,000.
  explicit BeatTracking(int rate_hz);
  ~BeatTracking();
  BeatTracking(const BeatTracking&) = delete;
  BeatTracking& operator=(const BeatTracking&) = delete;

  /// Takes the next samples of one channel, -1 to 1. Two seconds of `is_silent` end the beat.
  [[nodiscard]] Beat hear(std::span<float, kHopSamples> hop, bool is_silent);

 private:
  struct Tracker;

  const double rate_hz_;
  const std::unique_ptr<Tracker> tracker_;
  BeatLine line_;
  std::int64_t samples_ = 0;  // heard so far
  std::int64_t silent_samples_ = 0;
};

}  // namespace submix::io
