// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

/// A clip whose played part lasts a number of beats (parameter `beats` of plugin `clip`). Pure.
namespace submix::show {

/// 0: the clip plays as its speed says. Otherwise its played part lasts so many beats, and only the
/// sign of its speed counts: 0 freezes it, below 0 it plays backwards.
inline constexpr std::string_view kClipBeats = "beats";
inline constexpr double kClipBeatsMax = 1024;
/// The greatest speed of a clip, also with beats.
inline constexpr double kClipSpeedMax = 16;

/// The beats that a part of `span_seconds` lasts: `beats`, or twice, four times, … as many where
/// it would be faster than kClipSpeedMax. So it stays on the beat. 0: `beats` is 0, or the span is
/// not known.
[[nodiscard]] double lasting_beats(double beats, double span_seconds, double beats_per_second);

}  // namespace submix::show
