// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/ui/panel.hpp"

#include <imgui.h>

namespace submix::ui {

inline constexpr float kPanelGap = 8;  ///< between panels, unscaled

struct PanelPlace {
  const char* name;
  ImVec2 corner;
  ImVec2 size;
  bool has_ground = true;  ///< false: the background shows through, between the panels of a page
};
/// Draws a panel at its place in the current child window.
void put(const PanelPlace& place, Panel& panel, void (*draw)(Panel&));

/// Size that the columns need at scale 1. A smaller window scrolls.
inline constexpr Size kLayoutSize{1240, 720};

/// The wanted scale. A small window gets a smaller scale unless the person wants a larger one than
/// usual.
[[nodiscard]] float fitting_scale(float wanted, Size window);

}  // namespace submix::ui
