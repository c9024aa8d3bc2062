// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <string>

/// Figures as short texts of even width, for people.
namespace submix::ui {

[[nodiscard]] std::string rate_text(double per_second);     ///< "29.97", "7.50", "1240"
[[nodiscard]] std::string percent_text(double share);       ///< "7 %", "100 %"
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);  ///< "64 kB", "1.2 GB"; powers of ten
[[nodiscard]] std::string duration_text(
    std::chrono::nanoseconds duration);  ///< "340 ms", "12 s", "3 min"
[[nodiscard]] std::string milliseconds_text(
    std::chrono::nanoseconds duration);  ///< "0.04 ms", "16.70 ms"
/// Time of day of a moment on this machine: "21:04:59".
[[nodiscard]] std::string clock_text(LocalTime moment);

/// What makes seconds of this machine's day of seconds of its monotonic clock, when added.
[[nodiscard]] double day_offset();

}  // namespace submix::ui
