// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace submix::ui::raster {

/// Whole pixels: `right` and `bottom` are the first ones outside.
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

/// Pixels as 0xXXRRGGBB, row by row without gaps. They belong to somebody else.
struct Canvas {
  std::uint32_t* pixels = nullptr;
  Size size;

  [[nodiscard]] std::uint32_t* row(int y) const {
    return pixels + static_cast<std::ptrdiff_t>(y) * size.width;
  }
  [[nodiscard]] Box box() const { return {0, 0, size.width, size.height}; }
};

/// What the triangles' texture coordinates are about.
struct Texture {
  Size size;
  const std::uint8_t* alpha = nullptr;    ///< of white pixels, as fonts are; or
  const std::uint32_t* pixels = nullptr;  ///< a picture's, as a canvas's, that lets nothing through
  std::uint64_t key = 0;                  ///< another one whenever its pixels have changed
};

}  // namespace submix::ui::raster
