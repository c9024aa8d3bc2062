// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace submix::io {

/// How a file's pictures are to be turned, in quarter turns, or mirrored.
struct PictureTurn {
  bool swaps_sides = false;  ///< rows become columns
  bool flips_x = false;      ///< afterwards, the left side becomes the right side
  bool flips_y = false;

  friend bool operator==(const PictureTurn&, const PictureTurn&) = default;
};

/// FFmpeg's display matrix: nine fixed-point numbers (libavutil/display.h). Other angles become the
/// nearest quarter.
using DisplayMatrix = std::array<std::int32_t, 9>;
[[nodiscard]] PictureTurn turn_of(const DisplayMatrix& matrix);

/// The size of a picture of `size` before or after the turn.
[[nodiscard]] Size turned(Size size, PictureTurn turn);

/// Copies RGBA pixels. `to` has the size `size`, `from` has turned(size, turn).
void turn_pixels(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, Size size,
                 PictureTurn turn);

}  // namespace submix::io
