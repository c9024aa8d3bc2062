// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace submix::ui {

/// Whether the window answers, as people feel it: intervals of 100 ms in which its thread was busy with one
/// turn of its loop from end to end, counted over 30 seconds.
///
/// Shape    Fixed; it never allocates. A turn of n times 100 ms makes n intervals unresponsive.
/// Threads  Compatible. No clock of its own.
/// Source   Chromium's "janking": the 99th percentile of that count over all 30 seconds seen.
class Responsiveness {
 public:
  static constexpr std::chrono::milliseconds kInterval{100};
  static constexpr std::chrono::seconds kWindow{30};
  static constexpr std::size_t kIntervals = kWindow / kInterval;

  /// The thread woke at `begin`, and sleeps again from `end` on. Later turns begin later.
  void add_turn(LocalTime begin, LocalTime end);

  struct Figures {
    std::uint32_t unresponsive = 0;      ///< intervals of the last 30 seconds
    std::uint32_t unresponsive_p99 = 0;  ///< of all windows of 30 seconds, moved by one second each
    std::uint64_t unresponsive_all = 0;  ///< since the beginning
    std::chrono::nanoseconds longest{0};  ///< turn
    std::chrono::nanoseconds watched{0};  ///< from the first turn to the last
  };
  [[nodiscard]] Figures figures() const;

 private:
  void go_on_until(std::int64_t interval);
  void count_window();

  std::array<bool, kIntervals> is_unresponsive_{};       // a ring of the last 30 seconds
  std::array<std::uint32_t, kIntervals + 1> windows_{};  // how many windows had so many
  std::int64_t newest_ = -1;  // interval since the first turn; -1: none yet
  std::uint32_t in_window_ = 0;
  std::uint64_t all_ = 0;
  std::uint64_t window_count_ = 0;
  LocalTime first_{};
  LocalTime last_{};
  std::chrono::nanoseconds longest_{0};
};

/// The latest times of a kind: their median and extremes.
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
  /// Selects in a copy on the stack.
  [[nodiscard]] Figures figures() const;

 private:
  std::array<std::chrono::nanoseconds, kKept> times_{};
  std::uint64_t count_ = 0;
};

/// Where the time of a frame goes.
struct FrameMeter {
  FrameTimes frame;   ///< all of it
  FrameTimes view;    ///< the newest view and pictures are taken over
  FrameTimes build;   ///< panels become triangles
  FrameTimes raster;  ///< triangles become pixels on the screen
  FrameTimes cpu;     ///< of all of it, the thread's own: without what others on this computer took
  Responsiveness responsiveness;
};

}  // namespace submix::ui
