// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_spot.hpp"

#include <algorithm>
#include <cstdint>

namespace submix::io {
namespace {

constexpr int kSeenMin = 64;  // pixels of the window on its display

int limited(int wanted, int length) {
  return std::clamp(wanted, 0, std::max(0, length - kSeenMin));
}

// Twice as large as the display: a larger window is slow to draw, and nobody sees all of it.
int widest(Size picture, Size display) {
  const auto by_height =
      2 * std::int64_t{display.height} * std::int64_t{picture.width} / picture.height;
  return static_cast<int>(std::min(2 * std::int64_t{display.width}, by_height));
}

}  // namespace

std::optional<Rectangle> rectangle_of(const WindowSpot& spot, Size picture, std::size_t display,
                                      const std::vector<Display>& displays) {
  if (spot.width == 0 || display >= displays.size()) return std::nullopt;
  const auto& on = displays[display];
  const auto width = std::max(kSeenMin, std::min(spot.width, widest(picture, on.size)));
  const int height = std::max(1, width * picture.height / picture.width);
  return Rectangle{on.x + limited(spot.left, on.size.width),
                   on.y + limited(spot.top, on.size.height),
                   {width, height}};
}

}  // namespace submix::io
