// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>

namespace submix::ui {

inline constexpr std::chrono::nanoseconds kFramePeriod(
    std::chrono::nanoseconds(std::chrono::seconds(1)) / 60);

/// Decides when to draw the next frame. Deadlines are absolute, so that later frames make up for a
/// late frame.
///
/// Shape    Deadlines are one period apart. After a late frame the next waits are shorter, each by
///          at most half, until the delay is made up; delays over kDebtMax are forgotten. If frames
///          take long, the deadlines are further apart: a third of the time is left for events and
///          the show.
/// Threads  Compatible.
class FramePacer {
 public:
  static constexpr auto kDebtMax = 4 * kFramePeriod;  // a longer delay is a pause, not a hiccup

  [[nodiscard]] LocalTime next() const { return next_; }
  /// A frame begins; the next one follows the deadlines.
  void begin_frame(LocalTime now);
  /// The last frame took `length`.
  void took(std::chrono::nanoseconds length);
  /// A frame begins; the next one is due at `next`.
  void begin_frame(LocalTime now, LocalTime next);
  /// Forgets the deadlines. The next frame is due once events have had a third of the time.
  void hurry(LocalTime now);

 private:
  LocalTime begun_{};
  LocalTime next_{};
  LocalTime due_{};                         // next_, if no frame had been late
  std::chrono::nanoseconds frame_time_{0};  // of the last frames, smoothed
};

}  // namespace submix::ui
