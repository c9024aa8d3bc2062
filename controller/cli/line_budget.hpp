// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace submix::cli {

/// Limits the lines per second, so that a flood from outside fills no terminal and no file. A
/// second with more lines begins a flood. In a flood no line is written, but every five seconds the
/// number of lines. The flood ends when all lines fit again.
///
/// Threads  Compatible.
class LineBudget {
 public:
  static constexpr std::chrono::seconds kFloodPeriod{5};

  explicit LineBudget(std::size_t lines_per_second) : lines_per_second_(lines_per_second) {}

  /// Counts a line. Returns whether to write it.
  [[nodiscard]] bool admit(LocalTime now) {
    end_period(now);
    ++lines_;
    return !is_flood_ && lines_ <= lines_per_second_;
  }
  /// Counts lines that were lost before.
  void miss(std::uint64_t lines) { lines_ += lines; }
  /// Lines per second, returned once after each period with unwritten lines.
  [[nodiscard]] std::optional<std::uint64_t> take_flood(LocalTime now) {
    end_period(now);
    return std::exchange(untold_, std::nullopt);
  }

 private:
  void end_period(LocalTime now) {
    const auto period = is_flood_ ? kFloodPeriod : std::chrono::seconds(1);
    if (now - began_ < period) return;
    const auto seconds = static_cast<std::uint64_t>(period.count());
    const bool was_any_withheld = is_flood_ ? lines_ > 0 : lines_ > lines_per_second_;
    if (was_any_withheld) untold_ = (lines_ + seconds - 1) / seconds;
    is_flood_ = lines_ > lines_per_second_ * seconds;
    lines_ = 0;
    began_ = now;
  }

  const std::size_t lines_per_second_;
  LocalTime began_{};
  std::uint64_t lines_ = 0;  // in this period, written or not
  bool is_flood_ = false;
  std::optional<std::uint64_t> untold_;
};

}  // namespace submix::cli
