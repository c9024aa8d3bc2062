// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

/// The time of oscillators. The time depends only on a frame's number in its submix and on the
/// submix's timeline. Every instance computes the same moment for the same frame, and a pause stops
/// the time.
namespace submix::show {

/// The present time of the oscillators.
struct Moment {
  double seconds = 0.0;
  double beats = 0.0;

  friend bool operator==(const Moment&, const Moment&) = default;
};

/// How fast time passes for all oscillators of a show. The speed scales beats, too.
struct Tempo {
  double beats_per_minute = 120.0;
  double master_speed = 1.0;

  friend bool operator==(const Tempo&, const Tempo&) = default;
};

/// The tempo of one submix from one of its frames on. The submix's node keeps the timeline, which
/// starts at moment 0 with the first frame, and each change of the tempo begins a new timeline.
struct Timeline {
  Tempo tempo = {};
  FrameIndex since = {};
  Moment moment = {};  ///< at frame `since`

  friend bool operator==(const Timeline&, const Timeline&) = default;
};

inline constexpr double kBeatsPerMinuteMin = 10.0;
inline constexpr double kBeatsPerMinuteMax = 999.0;
inline constexpr double kMasterSpeedMax = 16.0;  ///< 0: all oscillators stand still

/// The moment of frame `frame`, which may lie before the timeline's start. Pure.
[[nodiscard]] Moment moment_of(const Timeline& timeline, FrameRate rate, FrameIndex frame);

/// The timeline with tempo `after` from frame `frame` on, without a jump at this frame. Pure.
[[nodiscard]] Timeline in_step(const Tempo& after, const Timeline& before, FrameRate rate,
                               FrameIndex frame);

}  // namespace submix::show
