// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_spot.hpp"

#include <algorithm>

namespace submix::io {
namespace {

constexpr int kSeenMin = 64;  // pixels of the window on its display

int limited(int wanted, int length) {
  return std::clamp(wanted, 0, std::max(0, length - kSeenMin));
}

}  // namespace

std::optional<Rectangle> rectangle_of(const WindowSpot& spot, Size picture, std::size_t display,
                                      const std::vector<Display>& displays) {
  if (spot.width == 0 || display >= displays.size()) return std::nullopt;
  const auto& on = displays[display];
  const int width = std::max(spot.width, kSeenMin);
  const int height = std::max(1, width * picture.height / picture.width);
  return Rectangle{on.x + limited(spot.left, on.size.width),
                   on.y + limited(spot.top, on.size.height),
                   {width, height}};
}

}  // namespace submix::io
