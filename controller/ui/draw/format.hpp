// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

/// Figures as short texts of even width.
namespace submix::ui {

[[nodiscard]] std::string rate_text(double per_second);  ///< "29.97", "7.50", "1240"
[[nodiscard]] std::string percent_text(double share);    ///< "7 %", "100 %"
/// Whether `part` stands in `text`, in capital or small letters.
[[nodiscard]] bool contains(std::string_view text, std::string_view part);
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);  ///< "64 kB", "1.2 GB"; decimal prefixes
[[nodiscard]] std::string play_time_text(double seconds);   ///< of a clip: "1:02.3"
[[nodiscard]] std::string duration_text(
    std::chrono::nanoseconds duration);  ///< "340 ms", "12 s", "3 min"
[[nodiscard]] std::string milliseconds_text(
    std::chrono::nanoseconds duration);  ///< "0.04 ms", "16.70 ms"
/// Local time of day at `moment`: "21:04:59".
[[nodiscard]] std::string clock_text(LocalTime moment);

/// A plugin's id as a name for people: "Glow" of "frei0r/glow", "Contrast" of "frei0r/contrast0r".
[[nodiscard]] std::string title_of(std::string_view plugin);
[[nodiscard]] std::string file_name_of(const std::string& path);  ///< without its folders

/// Seconds to add to a monotonic time of this machine to get seconds of the local day.
[[nodiscard]] double day_offset();

}  // namespace submix::ui
