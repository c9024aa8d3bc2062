// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/room_beside.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

constexpr int kOutputWidthMin = 256;
constexpr int kGap = 24;  // on each side of the output; wider than a window's frame
constexpr int kTitleBar = 40;

}  // namespace

Size first_size(Size display) {
  const int width = std::min(kWindowUsual.width, display.width - kOutputWidthMin - 2 * kGap);
  const int height = std::min(kWindowUsual.height, display.height - kTitleBar);
  return {width < kWindowMin.width ? std::min(kWindowUsual.width, display.width) : width,
          std::max(height, kWindowMin.height)};
}

bool leaves_room(Size window, Size display) {
  return display.width - window.width >= kOutputWidthMin + 2 * kGap;
}

std::optional<DesktopArea> place_beside(const DesktopArea& window, const DesktopArea& display,
                                        Size picture) {
  const int on_the_right = display.right() - window.right() - 2 * kGap;
  const int on_the_left = window.x - display.x - 2 * kGap;
  const int width = std::min(std::max(on_the_right, on_the_left), picture.width);
  if (width < kOutputWidthMin) return std::nullopt;
  const int height = width * picture.height / picture.width;
  const int lowest = std::max(display.y, display.y + display.size.height - height);
  const int x = on_the_right >= on_the_left ? window.right() + kGap : window.x - kGap - width;
  return DesktopArea{x, std::clamp(window.y, display.y, lowest), {width, height}};
}

}  // namespace submix::ui
