// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/color_scheme.hpp"

#include <imgui.h>

#include <string>

/// Fonts and measures of the window: flat shapes, little glare.
namespace submix::ui {

/// Fonts of the current scale. Two of them may be the same font. None is ever null.
struct Fonts {
  ImFont* text = nullptr;
  ImFont* strong = nullptr;
  ImFont* small = nullptr;
  ImFont* large = nullptr;  ///< the few figures that must be readable from two metres
  ImFont* mono = nullptr;   ///< commands to copy
  std::string arrow;        ///< "→", or "->" if no font has the sign
  std::string dot;          ///< "·", or "-"
};

/// Fills ImGui's atlas with the first fonts found on this machine. Without any, ImGui's own font is
/// used.
[[nodiscard]] Fonts load_fonts(float scale);

struct Appearance {
  Theme theme = Theme::dark;
  float scale = 1;
  bool is_low_power = false;  ///< sharp corners, no smoothing

  friend bool operator==(const Appearance&, const Appearance&) = default;
};
void apply_theme(const Appearance& appearance);

}  // namespace submix::ui
