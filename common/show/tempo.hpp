// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "common/show/sound.hpp"

#include <chrono>
#include <cstddef>
#include <vector>

/// The show's time, which all oscillators, fades and beats follow.
///
/// The time is counted in frames: frame n of a show begins n periods after the zero of the
/// cluster's clock (1970). Each node numbers its frames so (engine::ShowCount). A value is a pure
/// function of the document and of this number. So every node computes the same value for the same
/// frame, whenever the node began to run.
namespace submix::show {

/// The show's time at a frame, for oscillators.
struct Moment {
  double seconds = 0.0;  ///< at the master speed
  double beats = 0.0;
  std::chrono::nanoseconds time{0};  ///< the show's time itself
  Sound sound = {};  ///< as this program last heard of it; silence where it is not followed

  friend bool operator==(const Moment&, const Moment&) = default;
};

/// How fast oscillators and beats move from a moment on.
struct TempoSegment {
  double beats_per_minute = 120.0;
  double master_speed = 1.0;           ///< scales beats, too
  std::chrono::milliseconds since{0};  ///< of the show's time
  double seconds = 0.0;                ///< at `since`
  double beats = 0.0;                  ///< at `since`

  friend bool operator==(const TempoSegment&, const TempoSegment&) = default;
};

/// The tempo of a show: the newest segment, and the few before it.
///
/// A writer announces a change: the new segment begins a little later than now, when all nodes know
/// it. Until then the former segments hold. Without an announcement the tempo holds since time 0.
struct Tempo {
  double beats_per_minute = 120.0;
  double master_speed = 1.0;
  std::chrono::milliseconds since{0};
  double seconds = 0.0;
  double beats = 0.0;
  std::vector<TempoSegment> before = {};  ///< the oldest first

  friend bool operator==(const Tempo&, const Tempo&) = default;
};

inline constexpr double kBeatsPerMinuteMin = 10.0;
inline constexpr double kBeatsPerMinuteMax = 999.0;
inline constexpr double kMasterSpeedMax = 16.0;  ///< 0: all oscillators stand still
inline constexpr double kBarBeats = 4.0;
/// Former segments in a document. Changes take effect four times a second at most
/// (announced_after()), so more than two are never still to come.
inline constexpr std::size_t kFormerPacesMax = 3;

/// The moment at `time`. Pure, as are the functions below.
[[nodiscard]] Moment moment_at(const Tempo& tempo, std::chrono::nanoseconds time);
/// The moment of the show's frame `frame`.
[[nodiscard]] Moment moment_of(const Tempo& tempo, FrameRate rate, FrameIndex frame);

/// The time at which a change takes effect on all nodes, if it is written now: a multiple of a
/// quarter of a second, at least 200 ms after `now`.
[[nodiscard]] std::chrono::milliseconds announced_after(std::chrono::nanoseconds now);

/// `before`, with another pace from `at` on, without a jump.
[[nodiscard]] Tempo changed(const Tempo& before, double beats_per_minute, double master_speed,
                            std::chrono::milliseconds at);
/// `before`, with beat `beats` at time `at`; the seconds go on without a jump.
[[nodiscard]] Tempo with_beat(const Tempo& before, double beats, std::chrono::milliseconds at);
/// Whether both run at the same pace, whenever they began.
[[nodiscard]] bool is_same_pace(const Tempo& a, const Tempo& b);

}  // namespace submix::show
