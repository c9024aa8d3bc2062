// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Numbered pictures that a clip plays like a film, named by FFmpeg's pattern: "glow_%04d.png" are
/// glow_0001.png, glow_0002.png and so on. Pure.
namespace submix::show {

/// The name of a series, in its folder.
struct SeriesName {
  std::string before;      ///< the number
  std::size_t digits = 1;  ///< shorter numbers begin with zeros
  std::string behind;      ///< the number

  friend bool operator==(const SeriesName&, const SeriesName&) = default;
};

/// The series that a file's name means: its last part has %d, or %04d and the like, once, and a
/// percent sign as %%. Empty: the name means one file.
[[nodiscard]] std::optional<SeriesName> series_name(std::string_view file);
/// The pattern that means this series.
[[nodiscard]] std::string pattern_of(const SeriesName& series);

/// The name of one picture: "glow_0007.png".
[[nodiscard]] std::string picture_name(const SeriesName& series, std::uint32_t number);
/// The number of a picture, at most 999,999,999. Empty: `name` is no picture of the series.
[[nodiscard]] std::optional<std::uint32_t> picture_number(const SeriesName& series,
                                                          std::string_view name);

/// The numbers without a gap, from the smallest one on.
struct SeriesNumbers {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint32_t beyond = 0;  ///< the first number behind the gap; 0: there is no gap

  [[nodiscard]] std::uint32_t count() const { return last - first + 1; }
  friend bool operator==(const SeriesNumbers&, const SeriesNumbers&) = default;
};
/// Of the pictures among `names`, in any order. Empty: there is none.
[[nodiscard]] std::optional<SeriesNumbers> series_numbers(const SeriesName& series,
                                                          const std::vector<std::string>& names);

/// The series that a picture with this name may belong to, by the last number in the name. Empty:
/// the name has no number.
[[nodiscard]] std::optional<SeriesName> series_with(std::string_view name);

}  // namespace submix::show
