// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace submix::ui::raster {

/// A rectangle of whole pixels. `right` and `bottom` are the first pixels outside.
struct Box {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  [[nodiscard]] int width() const { return right - left; }
  [[nodiscard]] int height() const { return bottom - top; }
  [[nodiscard]] bool is_empty() const { return right <= left || bottom <= top; }
  [[nodiscard]] bool covers(const Box& other) const {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }
  friend bool operator==(const Box&, const Box&) = default;
};

[[nodiscard]] inline Box common_part(const Box& a, const Box& b) {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right),
          std::min(a.bottom, b.bottom)};
}

/// Pixels as 0xXXRRGGBB, row by row without gaps. The caller owns them.
struct PixelView {
  std::uint32_t* pixels = nullptr;
  Size size;

  [[nodiscard]] std::uint32_t* row(int y) const {
    return pixels + static_cast<std::ptrdiff_t>(y) * size.width;
  }
  [[nodiscard]] Box box() const { return {0, 0, size.width, size.height}; }
};

/// The texture that a triangle's coordinates refer to. Either `alpha` or `pixels` is set.
struct Texture {
  Size size;
  const std::uint8_t* alpha = nullptr;    ///< coverage of white pixels; used by fonts
  const std::uint32_t* pixels = nullptr;  ///< opaque pixels of a picture, in the canvas's format
  std::uint64_t key = 0;                  ///< changes whenever the pixels change
};

}  // namespace submix::ui::raster
