// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

/// The time that oscillators follow. It comes from the number of a frame in its submix and from the submix's
/// timeline, and from nothing else: every instance works the same moment out for the same number, and a pause
/// holds it.
namespace submix::show {

/// How far oscillators' time has come.
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

/// By which tempo the time of one submix passes, from one of its frames on. Its node keeps it: from moment 0
/// at its first frame, and another one from each change of the tempo on.
struct Timeline {
  Tempo tempo = {};
  FrameIndex since = {};
  Moment moment = {};  ///< at frame `since`

  friend bool operator==(const Timeline&, const Timeline&) = default;
};

inline constexpr double kBeatsPerMinuteMin = 10.0;
inline constexpr double kBeatsPerMinuteMax = 999.0;
inline constexpr double kMasterSpeedMax = 16.0;  ///< 0: all oscillators stand still

/// Of frame `frame`, also of one before the timeline's start. Pure.
[[nodiscard]] Moment moment_of(const Timeline& timeline, FrameRate rate, FrameIndex frame);

/// By `after` from frame `frame` on, and without a jump there. Pure.
[[nodiscard]] Timeline in_step(const Tempo& after, const Timeline& before, FrameRate rate,
                               FrameIndex frame);

}  // namespace submix::show
