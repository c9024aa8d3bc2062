// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// The visible part of the time axis of plots and traces, in seconds of any clock. Pure.
namespace submix::ui {

/// The range of recorded times.
struct TimeLimits {
  double begin = 0;
  double end = 0;
  double shown_min = 0;  ///< shortest visible range, in seconds
};

struct TimeAxis {
  double begin = 0;
  double end = 0;

  [[nodiscard]] double seconds() const { return end - begin; }
  /// 0 at the left edge, 1 at the right edge.
  [[nodiscard]] double share_of(double time) const { return (time - begin) / seconds(); }
  [[nodiscard]] double time_at(double share) const { return begin + share * seconds(); }

  friend bool operator==(const TimeAxis&, const TimeAxis&) = default;
};

/// Moved by `share` of its length, up to the limits.
[[nodiscard]] TimeAxis dragged(const TimeAxis& axis, double share, const TimeLimits& limits);
/// Lengthened by `factor`. The time at `anchor` (0 to 1) stays in place as far as the limits allow.
[[nodiscard]] TimeAxis zoomed(const TimeAxis& axis, double factor, double anchor,
                              const TimeLimits& limits);
/// The nearest axis that keeps the limits.
[[nodiscard]] TimeAxis within(const TimeAxis& axis, const TimeLimits& limits);

/// The smallest step that divides `range` into at most `steps_max` parts: 1, 2 or 5 times a power
/// of ten. Time steps from a minute on are whole minutes.
[[nodiscard]] double nice_step(double range, int steps_max);
[[nodiscard]] double nice_time_step(double seconds, int steps_max);
/// The multiples of `step` from `begin` to `end`; at most 1000.
[[nodiscard]] std::vector<double> ticks(double begin, double end, double step);
/// A round upper end for an axis that begins at 0 and shows `greatest`.
[[nodiscard]] double nice_maximum(double greatest);
/// Seconds of a day as "14:02:30"; with decimals if `step` is shorter than a second.
[[nodiscard]] std::string time_of_day_text(double seconds_of_day, double step);

}  // namespace submix::ui
