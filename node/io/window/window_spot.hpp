// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/display.hpp"
#include "node/io/picture_fit.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace submix::io {

/// Where a window is wanted on its display, in pixels. Its height follows from the picture's shape.
struct WindowSpot {
  int left = 0;
  int top = 0;
  int width = 0;  ///< 0: in the middle of the display, in the picture's own size

  friend bool operator==(const WindowSpot&, const WindowSpot&) = default;
};

/// The window's rectangle on the desktop. A part of it is always on its display, and it is at most
/// twice as large as the display. Empty: the window stands in the middle of its display, or the
/// display is not known. Pure.
[[nodiscard]] std::optional<Rectangle> rectangle_of(const WindowSpot& spot, Size picture,
                                                    std::size_t display,
                                                    const std::vector<Display>& displays);

}  // namespace submix::io
