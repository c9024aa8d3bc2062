// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>

namespace submix::ui {

inline constexpr std::chrono::nanoseconds kFramePeriod(
    std::chrono::nanoseconds(std::chrono::seconds(1)) / 60);

/// When the next frame is to be drawn: by absolute deadlines, so that what a late frame lost comes back.
///
/// Shape    Deadlines are a period apart. After a late frame the next waits are shorter, none by more than
///          half, until all is made up for; more than kDebtMax is not. Where frames take long, deadlines are
///          as far apart as leaves a third of the time for events, and for the show.
/// Threads  Compatible.
class FramePacer {
 public:
  static constexpr auto kDebtMax = 4 * kFramePeriod;  // more is no hiccup, but a pause

  [[nodiscard]] LocalTime next() const { return next_; }
  /// A frame begins.
  void begin_frame(LocalTime now);
  /// So long that frame took.
  void took(std::chrono::nanoseconds length);
  /// A frame begins, and the next one is not planned by deadlines.
  void begin_frame(LocalTime now, LocalTime next);
  /// Whatever was planned: as long after the last frame as leaves that third, or at once if that is over.
  void hurry(LocalTime now);

 private:
  LocalTime begun_{};
  LocalTime next_{};
  LocalTime due_{};                         // next_, were no frame ever late
  std::chrono::nanoseconds frame_time_{0};  // of the last frames, smoothed
};

}  // namespace submix::ui
