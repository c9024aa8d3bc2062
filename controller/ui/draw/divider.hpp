// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

#include <imgui.h>

/// The lines between panels, which people drag; a double click puts them back.
namespace submix::ui {

/// One line between the panels of a page. All lengths are in pixels of the window.
struct Divider {
  const char* name = "";   ///< in preferences; its own in the whole window
  float room = 0;          ///< that it divides
  float usual = 0;         ///< of the panel before it, while nobody has dragged it
  float least = 0;         ///< that this panel needs
  float least_behind = 0;  ///< that what lies behind the line needs
  bool is_behind =
      false;  ///< `usual` and `least` are those of the panel behind it, `least_behind` of the other
};

/// How long that panel is now: as it was dragged, as a share of `room`, within its limits.
[[nodiscard]] float length_of(const Divider& divider, const Panel& panel);

/// The gap between two panels, to be taken hold of; in the present child window's coordinates. Draws a line
/// while the mouse is there.
void draw_handle(const Divider& divider, ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
