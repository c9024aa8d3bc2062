// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <optional>

/// Room for an output beside the main window, on a display that both share. Pixels. Pure.
namespace submix::ui {

/// A part of the desktop.
struct DesktopArea {
  int x = 0;
  int y = 0;
  Size size;

  [[nodiscard]] int right() const { return x + size.width; }
  friend bool operator==(const DesktopArea&, const DesktopArea&) = default;
};

/// Whether a window at one edge of a display leaves room for an output.
[[nodiscard]] bool leaves_room(Size window, Size display);

/// The place for a picture of this shape beside the window, as large as there is room, at most in
/// its own size. Empty: it would be too small to be of use.
[[nodiscard]] std::optional<DesktopArea> place_beside(const DesktopArea& window,
                                                      const DesktopArea& display, Size picture);

}  // namespace submix::ui
