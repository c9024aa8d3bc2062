// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/color_scheme.hpp"

#include <imgui.h>

#include <string>

/// Fonts and measures of the window: flat, little glare.
namespace submix::ui {

/// Fonts of the current scale. Any of them may be the same as another; none is ever null.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;
  ImFont* small = nullptr;
  ImFont* large = nullptr;  ///< the few figures to be read from two metres away
  ImFont* mono = nullptr;   ///< commands to copy
  std::string arrow;        ///< "→", or "->" where no font has it
  std::string dot;          ///< "·", or "-"
};

/// Fills ImGui's atlas from the first fonts found on this machine; without any, ImGui's own is used.
[[nodiscard]] Fonts load_fonts(float scale);

struct Look {
  Theme theme = Theme::dark;
  float scale = 1;
  bool is_low_power = false;  ///< sharp corners and no smoothing

  friend bool operator==(const Look&, const Look&) = default;
};
void apply_theme(const Look& look);

}  // namespace submix::ui
