// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <string>

/// Colours, fonts and measures of the window: dark, flat, little glare.
namespace submix::ui {

namespace color {
inline constexpr ImU32 kBackground = IM_COL32(16, 18, 22, 255);
inline constexpr ImU32 kPanel = IM_COL32(24, 27, 33, 255);
inline constexpr ImU32 kCard = IM_COL32(32, 36, 43, 255);
inline constexpr ImU32 kChosen = IM_COL32(45, 58, 78, 255);  // the line of a list
inline constexpr ImU32 kChip = IM_COL32(46, 62, 86, 255);    // a submix, to be taken hold of
inline constexpr ImU32 kCardHovered = IM_COL32(40, 45, 54, 255);
inline constexpr ImU32 kBorder = IM_COL32(48, 54, 64, 255);
inline constexpr ImU32 kTrack = IM_COL32(42, 47, 56, 255);  // the empty part of a bar
inline constexpr ImU32 kText = IM_COL32(228, 231, 236, 255);
inline constexpr ImU32 kOnBright = IM_COL32(20, 20, 22, 255);  // text on a coloured ground
inline constexpr ImU32 kDim = IM_COL32(147, 155, 168, 255);
inline constexpr ImU32 kFaint = IM_COL32(98, 106, 120, 255);
inline constexpr ImU32 kAccent = IM_COL32(86, 166, 255, 255);
inline constexpr ImU32 kGood = IM_COL32(77, 196, 144, 255);
inline constexpr ImU32 kWarning = IM_COL32(236, 180, 76, 255);
inline constexpr ImU32 kBad = IM_COL32(243, 104, 98, 255);
inline constexpr ImU32 kWaiting = IM_COL32(112, 126, 148, 255);  // starved, idle: nothing to do
}  // namespace color

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

/// Colours and measures for `scale`; sharp corners and no smoothing where `is_low_power`.
void apply_theme(float scale, bool is_low_power);

}  // namespace submix::ui
