// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

/// The window's colours, dark or light.
namespace submix::ui {

enum class Theme { dark, light };

/// Colours named by their meaning. Good, warning and bad also differ in lightness and in blue, so
/// that people who do not tell red from green can tell them apart (tests/ui/color_scheme_test). A
/// colour never stands without a word.
struct ColorScheme {
  ImU32 background, panel, card;
  ImU32 chosen;  ///< the selected line of a list
  ImU32 lit;     ///< a button that is on, a fader up to its grab
  ImU32 chip;    ///< a submix that can be dragged
  ImU32 card_hovered, border;
  ImU32 track;  ///< the empty part of a bar
  ImU32 track_hovered, track_active;
  ImU32 chosen_hovered, chosen_active;
  ImU32 text;
  ImU32 on_bright;  ///< text on a coloured ground
  ImU32 dim, faint, accent, good, warning, bad;
  ImU32 waiting;  ///< starved or idle: no work
  ImU32 held;     ///< blocked without delaying the show
};

inline constexpr ColorScheme kDarkScheme{
    .background = IM_COL32(16, 18, 22, 255),
    .panel = IM_COL32(24, 27, 33, 255),
    .card = IM_COL32(32, 36, 43, 255),
    .chosen = IM_COL32(45, 58, 78, 255),
    .lit = IM_COL32(30, 74, 134, 255),
    .chip = IM_COL32(46, 62, 86, 255),
    .card_hovered = IM_COL32(40, 45, 54, 255),
    .border = IM_COL32(48, 54, 64, 255),
    .track = IM_COL32(42, 47, 56, 255),
    .track_hovered = IM_COL32(54, 61, 72, 255),
    .track_active = IM_COL32(66, 74, 88, 255),
    .chosen_hovered = IM_COL32(52, 66, 88, 255),
    .chosen_active = IM_COL32(60, 78, 104, 255),
    .text = IM_COL32(228, 231, 236, 255),
    .on_bright = IM_COL32(20, 20, 22, 255),
    .dim = IM_COL32(162, 169, 181, 255),
    .faint = IM_COL32(134, 142, 155, 255),
    .accent = IM_COL32(92, 170, 255, 255),
    .good = IM_COL32(77, 196, 144, 255),
    .warning = IM_COL32(236, 180, 76, 255),
    .bad = IM_COL32(250, 128, 120, 255),
    .waiting = IM_COL32(124, 140, 166, 255),
    .held = IM_COL32(172, 164, 190, 255),
};

inline constexpr ColorScheme kLightScheme{
    .background = IM_COL32(220, 224, 230, 255),
    .panel = IM_COL32(245, 246, 248, 255),
    .card = IM_COL32(232, 235, 240, 255),
    .chosen = IM_COL32(200, 217, 240, 255),
    .lit = IM_COL32(150, 190, 242, 255),
    .chip = IM_COL32(190, 210, 238, 255),
    .card_hovered = IM_COL32(222, 227, 234, 255),
    .border = IM_COL32(190, 197, 207, 255),
    .track = IM_COL32(202, 209, 219, 255),
    .track_hovered = IM_COL32(190, 198, 209, 255),
    .track_active = IM_COL32(176, 186, 199, 255),
    .chosen_hovered = IM_COL32(188, 208, 236, 255),
    .chosen_active = IM_COL32(174, 198, 231, 255),
    .text = IM_COL32(26, 30, 37, 255),
    .on_bright = IM_COL32(255, 255, 255, 255),
    .dim = IM_COL32(74, 83, 97, 255),
    .faint = IM_COL32(98, 107, 120, 255),
    .accent = IM_COL32(16, 88, 176, 255),
    .good = IM_COL32(0, 106, 78, 255),
    .warning = IM_COL32(138, 82, 0, 255),
    .bad = IM_COL32(172, 14, 70, 255),
    .waiting = IM_COL32(92, 106, 128, 255),
    .held = IM_COL32(66, 58, 82, 255),
};

[[nodiscard]] constexpr const ColorScheme& scheme_of(Theme theme) {
  return theme == Theme::light ? kLightScheme : kDarkScheme;
}

namespace color {
/// The scheme that apply_theme() has set last; dark at first. Confined (ui).
inline constinit ColorScheme present = kDarkScheme;

inline const ImU32& kBackground = present.background;
inline const ImU32& kPanel = present.panel;
inline const ImU32& kCard = present.card;
inline const ImU32& kChosen = present.chosen;
inline const ImU32& kLit = present.lit;
inline const ImU32& kChip = present.chip;
inline const ImU32& kCardHovered = present.card_hovered;
inline const ImU32& kBorder = present.border;
inline const ImU32& kTrack = present.track;
inline const ImU32& kText = present.text;
inline const ImU32& kOnBright = present.on_bright;
inline const ImU32& kDim = present.dim;
inline const ImU32& kFaint = present.faint;
inline const ImU32& kAccent = present.accent;
inline const ImU32& kGood = present.good;
inline const ImU32& kWarning = present.warning;
inline const ImU32& kBad = present.bad;
inline const ImU32& kWaiting = present.waiting;
inline const ImU32& kHeld = present.held;
}  // namespace color

}  // namespace submix::ui
