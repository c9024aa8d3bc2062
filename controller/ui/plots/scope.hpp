// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/media/image.hpp"

#include <array>
#include <cstdint>
#include <span>

/// Measures a picture as a colourist does. Pure.
namespace submix::ui {

/// Side of a waveform and a vectorscope in pixels; values of 0 to 255 have one each.
inline constexpr int kScopeSide = 256;

/// The pixels of a picture: RGB24, as many as its size says.
struct ScopeInput {
  Size size;
  std::span<const std::uint8_t> rgb24;
};

/// Brightness (luma of BT.709) over the width of the picture: a column for each part of the width,
/// white at the top, black at the bottom. The more pixels are as bright, the brighter the point.
[[nodiscard]] media::Rgb24Image draw_waveform(const ScopeInput& picture);

/// Hue as direction and saturation as distance from the middle: Cb of BT.709 to the right, Cr upwards,
/// 0.5 at the edges. Each point has the colour that it stands for.
[[nodiscard]] media::Rgb24Image draw_vectorscope(const ScopeInput& picture);
/// Where a colour (each part 0 to 1) stands in a vectorscope, in parts of its side from the left upper
/// corner.
[[nodiscard]] std::array<float, 2> place_in_vectorscope(const std::array<float, 3>& rgb);

/// How many pixels have which value.
struct Histogram {
  std::array<std::array<std::uint32_t, 256>, 3> counts{};  ///< of red, green and blue
  double black = 0;  ///< part of the pixels that are 0 in all colours
  double white = 0;  ///< part of the pixels that are 255 in one colour at least
};
[[nodiscard]] Histogram histogram_of(const ScopeInput& picture);
/// Bars from the bottom, red, green and blue over one another. The highest bar between black and
/// white fills the height.
[[nodiscard]] media::Rgb24Image draw_histogram(const Histogram& histogram);

}  // namespace submix::ui
