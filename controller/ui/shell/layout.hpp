// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/ui/panels.hpp"

#include <imgui.h>

namespace submix::ui {

inline constexpr float kPanelGap = 8;  ///< between panels, unscaled

struct Place {
  const char* name;
  ImVec2 corner;
  ImVec2 size;
  bool has_ground = true;  ///< else what lies behind is seen: between the panels of a page
};
/// A panel at its place in the present child window.
void put(const Place& place, Panel& panel, void (*draw)(Panel&));

/// What the columns need at scale 1. In less the whole is scrolled.
inline constexpr Size kLayoutSize{1240, 720};

/// The wanted scale; where nobody wants it larger than usual, a small window gets a smaller one.
[[nodiscard]] float fitting_scale(float wanted, Size window);

/// One frame: the top bar, the chosen page or the one for an empty cluster, and what lies over them.
void draw_layout(Panel& panel);

}  // namespace submix::ui
