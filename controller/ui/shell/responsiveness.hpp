// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::ui {

/// Counts the moments in which people feel that the window hangs. An interval of 100 ms is
/// unresponsive if one turn of the loop kept the thread busy all through it. Unresponsive intervals
/// are counted over 30 seconds.
///
/// Shape    Fixed; it never allocates. A turn of n times 100 ms makes n intervals unresponsive.
/// Threads  Compatible. No clock of its own.
/// Source   Chromium's "janking": the 99th percentile of this count over all windows of 30 seconds.
class Responsiveness {
 public:
  static constexpr std::chrono::milliseconds kInterval{100};
  static constexpr std::chrono::seconds kWindow{30};
  static constexpr std::size_t kIntervals = kWindow / kInterval;

  /// The thread worked from `begin` to `end`. Calls are in order of time.
  void add_turn(LocalTime begin, LocalTime end);

  struct Figures {
    std::uint32_t unresponsive = 0;       ///< intervals of the last 30 seconds
    std::uint32_t unresponsive_p99 = 0;   ///< over all windows of 30 seconds, each a second later
    std::uint64_t unresponsive_all = 0;   ///< since the start
    std::chrono::nanoseconds longest{0};  ///< longest turn
    std::chrono::nanoseconds watched{0};  ///< from the first turn to the last
  };
  [[nodiscard]] Figures figures() const;

 private:
  void go_on_until(std::int64_t interval);
  void count_window();

  std::array<bool, kIntervals> is_unresponsive_{};  // ring of the last 30 seconds
  // Number of windows by their count of unresponsive intervals.
  std::array<std::uint32_t, kIntervals + 1> windows_{};
  std::int64_t newest_ = -1;  // interval since the first turn; -1: none yet
  std::uint32_t in_window_ = 0;
  std::uint64_t all_ = 0;
  std::uint64_t window_count_ = 0;
  LocalTime first_{};
  LocalTime last_{};
  std::chrono::nanoseconds longest_{0};
};

/// The latest durations of one kind: their median and extremes.
///
/// Shape    The last kKept; it never allocates.
/// Threads  Compatible.
class FrameTimes {
 public:
  static constexpr std::size_t kKept = 2048;

  void add(std::chrono::nanoseconds time) { times_.at(count_++ % kKept) = time; }
  struct Figures {
    std::uint64_t count = 0;
    std::chrono::nanoseconds p50{0};
    std::chrono::nanoseconds p99{0};
    std::chrono::nanoseconds max{0};
  };
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Sorts a copy on the stack.
  [[nodiscard]] Figures figures() const;

 private:
  std::array<std::chrono::nanoseconds, kKept> times_{};
  std::uint64_t count_ = 0;
};

/// Durations of the parts of a frame.
struct FrameMeter {
  FrameTimes frame;   ///< the whole frame
  FrameTimes view;    ///< taking the newest view and pictures
  FrameTimes build;   ///< building triangles from panels
  FrameTimes raster;  ///< drawing the triangles on the screen
  /// CPU time of the thread over the whole frame, without the time of other programs
  FrameTimes cpu;
  Responsiveness responsiveness;
};

}  // namespace submix::ui
