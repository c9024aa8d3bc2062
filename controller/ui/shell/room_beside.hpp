// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <optional>

/// Room for an output beside the main window, on a display that both share. Pixels. Pure.
namespace submix::ui {

/// Sizes of the main window.
inline constexpr Size kWindowUsual{1440, 900};
inline constexpr Size kWindowMin{960, 600};

/// A part of the desktop.
struct DesktopArea {
  int x = 0;
  int y = 0;
  Size size;

  [[nodiscard]] int right() const { return x + size.width; }
  friend bool operator==(const DesktopArea&, const DesktopArea&) = default;
};

/// The size of a window on the only display, if nobody has chosen a size. Where kWindowUsual leaves
/// no room for an output, the window is narrower, but never narrower than people can work with.
[[nodiscard]] Size first_size(Size display);

/// Whether a window at one edge of a display leaves room for an output.
[[nodiscard]] bool leaves_room(Size window, Size display);

/// The place for a picture of this shape beside the window, as large as the room allows, at most in
/// the picture's own size. Empty: it would be too small to be of use.
[[nodiscard]] std::optional<DesktopArea> place_beside(const DesktopArea& window,
                                                      const DesktopArea& display, Size picture);

}  // namespace submix::ui
