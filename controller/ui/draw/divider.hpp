// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <imgui.h>

/// Dividers are the lines between panels. People drag them; a double click resets a divider.
namespace submix::ui {

/// One line between the panels of a page. All lengths are in pixels of the window.
struct Divider {
  const char* name = "";   ///< key in the preferences; unique in the window
  float room = 0;          ///< length that the divider splits
  float usual = 0;         ///< length of the panel before the divider until somebody drags it
  float least = 0;         ///< shortest length of this panel
  float least_behind = 0;  ///< shortest length of the panel behind the divider
  /// `usual` and `least` are of the panel behind the divider, `least_behind` of the panel before it
  bool is_behind = false;
};

/// Present length of the panel: the dragged share of `room`, kept within the limits.
[[nodiscard]] float length_of(const Divider& divider, const Panel& panel);

/// Draws the gap between two panels, which the mouse can grab. `corner` is in coordinates of the
/// current child window. A line shows while the mouse is over the gap.
void draw_handle(const Divider& divider, ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
