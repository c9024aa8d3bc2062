// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace submix::io {

/// The moments of a file that a clip shows from a frame on, as long as no parameter changes.
/// Moments and lengths are in seconds. Immutable.
struct Course {
  double seconds = 0;       ///< the moment of the present frame
  double step_seconds = 0;  ///< to the next frame; negative: backwards; 0: frozen
  double in_seconds = 0;    ///< the played part
  double out_seconds = 0;   ///< its end; 0: not known
  bool is_looping = false;

  /// The moment `frames` later. Empty: the course has ended, or has gone once around its loop. A
  /// frozen course is treated as a slow one, as if it were released.
  [[nodiscard]] std::optional<double> moment(double frames) const;
  /// Frames until the course shows a picture that lasts from `begin` to `end`. Infinite: never. A
  /// picture that falls between two frames counts as far away, not as never: the next round of the
  /// loop may show it.
  [[nodiscard]] double frames_until(double begin, double end) const;
  /// Frames from the moment `moment` until the course leaves the picture around it; at least 1.
  [[nodiscard]] double frames_within(double moment, double begin, double end) const;
  /// `moment`, wrapped into the played part of a loop. The same where the course does not loop.
  [[nodiscard]] double in_loop(double moment) const;
  /// The same course in the other direction.
  [[nodiscard]] Course reversed() const;

  friend bool operator==(const Course&, const Course&) = default;

 private:
  [[nodiscard]] double step() const;
  [[nodiscard]] double end() const;
  [[nodiscard]] double loop_seconds() const;
};

}  // namespace submix::io
