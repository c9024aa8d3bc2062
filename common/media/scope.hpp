// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// Measures a picture as a colourist does: waveform, vectorscope and histogram. Pure; allocates
/// nothing.
///
/// Shape    Channels as they are, full range, with the weights of BT.709. Alpha is not looked at.
/// Cost     At most kScopeSamplesMax pixels of a picture are measured, evenly spread over it.
namespace submix::media {

/// Levels of a channel, and the largest number of rows that tell more.
inline constexpr int kScopeLevels = 256;
inline constexpr std::size_t kScopeSamplesMax = 240'000;

/// The pixels of a picture, without gaps: R,G,B, or R,G,B and a byte that is not looked at. Fewer
/// bytes than the size says: the rest is not measured.
struct ScopeInput {
  Size size;
  std::span<const std::uint8_t> bytes;
  std::size_t pixel_bytes = 3;
};

/// How many columns of a waveform the measured pixels of a picture fill.
[[nodiscard]] int scope_columns(Size picture);

/// How many pixels have come to each place. Rows from the top; counts.size() is size.pixels().
struct ScopeGrid {
  Size size;  ///< at most kScopeLevels rows
  std::span<std::uint32_t> counts;
};

/// Brightness (luma) over the width of the picture: white in the top row, black in the lowest.
void count_waveform(const ScopeInput& picture, const ScopeGrid& grid);
/// Waveforms of red, green and blue side by side, each with a third of the columns. Columns that
/// are left over at the right stay empty.
void count_parade(const ScopeInput& picture, const ScopeGrid& grid);

/// The brightness of a place of a waveform, 0 to 255. A single pixel is seen, and many do not hide
/// the rest.
class TraceBrightness {
 public:
  /// `most`: the largest count.
  explicit TraceBrightness(std::uint32_t most);

  [[nodiscard]] std::uint8_t of(std::uint32_t count) const {
    return table_[count < table_.size() ? count : table_.size() - 1];
  }

 private:
  std::array<std::uint8_t, 1024> table_{};
};

/// Where a colour (each part 0 to 1) stands in a vectorscope, in parts of its side from the left
/// upper corner: Cb to the right, Cr upwards, 0.5 at the edges.
[[nodiscard]] std::array<float, 2> place_in_vectorscope(const std::array<float, 3>& rgb);
/// Marks the place of each pixel with the brightest colour that comes there.
///
/// Shape    `rgb24`: side * side pixels of three bytes. `side`: at most kScopeLevels.
void mark_vectorscope(const ScopeInput& picture, int side, std::span<std::uint8_t> rgb24);

/// Where the bars of a test picture stand that are three quarters as bright as they can be.
struct ColorTarget {
  std::string_view name;
  std::array<float, 3> rgb;
};
inline constexpr float kTargetLevel = 0.75F;
inline constexpr std::array<ColorTarget, 6> kColorTargets{
    {{"R", {kTargetLevel, 0, 0}},
     {"Yl", {kTargetLevel, kTargetLevel, 0}},
     {"G", {0, kTargetLevel, 0}},
     {"Cy", {0, kTargetLevel, kTargetLevel}},
     {"B", {0, 0, kTargetLevel}},
     {"Mg", {kTargetLevel, 0, kTargetLevel}}}};

/// How many pixels have which value.
struct Histogram {
  std::array<std::array<std::uint32_t, kScopeLevels>, 3> counts{};  ///< of red, green and blue
  double black = 0;  ///< part of the pixels that are 0 in all colours
  double white = 0;  ///< part of the pixels that are 255 in one colour at least

  /// The largest count between black and white, which would hide the others; at least 1.
  [[nodiscard]] std::uint32_t highest() const;
};
[[nodiscard]] Histogram histogram_of(const ScopeInput& picture);
/// Of its own channel, in each pixel of a bar: the bars of three colours add up.
inline constexpr std::uint8_t kBarBrightness = 220;
/// The pixels of a bar, of `height`, if `highest` fills the height. A single pixel is seen.
[[nodiscard]] int bar_height(std::uint32_t count, std::uint32_t highest, int height);

}  // namespace submix::media
