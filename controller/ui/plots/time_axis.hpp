// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// The time axis of plots and traces, in seconds of any clock: what part of the past is shown. Pure.
namespace submix::ui {

/// What there is to see.
struct TimeLimits {
  double begin = 0;
  double end = 0;
  double shown_min = 0;  ///< the closest look, in seconds
};

struct TimeAxis {
  double begin = 0;
  double end = 0;

  [[nodiscard]] double seconds() const { return end - begin; }
  /// 0 at the left edge, 1 at the right one.
  [[nodiscard]] double share_of(double time) const { return (time - begin) / seconds(); }
  [[nodiscard]] double time_at(double share) const { return begin + share * seconds(); }

  friend bool operator==(const TimeAxis&, const TimeAxis&) = default;
};

/// The same length, moved by a share of it; it stops at the limits.
[[nodiscard]] TimeAxis dragged(const TimeAxis& axis, double share, const TimeLimits& limits);
/// `factor` times as long, while what is at `anchor` (0 to 1) stays there, as far as the limits let it.
[[nodiscard]] TimeAxis zoomed(const TimeAxis& axis, double factor, double anchor,
                              const TimeLimits& limits);
/// The nearest axis that keeps the limits.
[[nodiscard]] TimeAxis within(const TimeAxis& axis, const TimeLimits& limits);

/// 1, 2 or 5 times a power of ten: the smallest that makes at most `steps_max` of `range`. Of times from a
/// minute on: minutes.
[[nodiscard]] double nice_step(double range, int steps_max);
[[nodiscard]] double nice_time_step(double seconds, int steps_max);
/// The multiples of `step` from `begin` to `end`; at most 1000.
[[nodiscard]] std::vector<double> ticks(double begin, double end, double step);
/// The upper end of an axis from 0 on that has room for `greatest`.
[[nodiscard]] double nice_maximum(double greatest);
/// Seconds of a day as "14:02:30"; with decimals where `step` is below a second.
[[nodiscard]] std::string time_of_day_text(double seconds_of_day, double step);

}  // namespace submix::ui
