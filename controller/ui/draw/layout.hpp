// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/ui/panel.hpp"

#include <imgui.h>

namespace submix::ui {

inline constexpr float kPanelGap = 8;  ///< between panels, unscaled

/// A part of the current child window.
struct PanelArea {
  ImVec2 corner;
  ImVec2 size;
};
/// The current child window without the gap around its panels.
[[nodiscard]] PanelArea whole_room(const Panel& panel);

struct PanelPlace {
  const char* name;
  ImVec2 corner;
  ImVec2 size;
  bool has_ground = true;  ///< false: the background shows through, between the panels of a page
};
/// Draws a panel at its place in the current child window.
void put(const PanelPlace& place, Panel& panel, void (*draw)(Panel&));

/// Size at scale 1 in which all columns have ample room. A smaller window gets a smaller scale.
inline constexpr Size kLayoutSize{1240, 720};
/// Size at scale 1 in which all panels of a page have room side by side. A smaller window has short
/// bars and one panel at a time.
inline constexpr Size kLeastLayoutSize{960, 480};
/// Whether the present window is smaller than that.
[[nodiscard]] bool is_small_window(const Panel& panel);
/// Whether the window is so low that its bars are short, for the sake of the pictures.
[[nodiscard]] bool has_short_bars(const Panel& panel);
/// Whether a bar across the window is too narrow for all words.
[[nodiscard]] bool is_narrow(float width, const Panel& panel);

/// Makes controls large enough for fingers, if fingers are used.
void push_finger_style(const Panel& panel);
void pop_finger_style();

/// The same until the end of a block.
class FingerStyle {
 public:
  explicit FingerStyle(const Panel& panel) { push_finger_style(panel); }
  ~FingerStyle() { pop_finger_style(); }
  FingerStyle(const FingerStyle&) = delete;
  FingerStyle& operator=(const FingerStyle&) = delete;
};

/// ImGui::SmallButton(), as high as a fingertip if fingers are used.
[[nodiscard]] bool small_button(const char* label, const Panel& panel);

/// Rows of a menu as high as a fingertip, if fingers are used. Made before the menu begins.
class FingerRows {
 public:
  explicit FingerRows(const Panel& panel);
  ~FingerRows();
  FingerRows(const FingerRows&) = delete;
  FingerRows& operator=(const FingerRows&) = delete;
};

/// ImGui::BeginCombo() with rows as high as a fingertip, if fingers are used.
[[nodiscard]] bool begin_combo(const char* id, const char* shown, const Panel& panel,
                               ImGuiComboFlags flags = ImGuiComboFlags_None);
/// After begin_combo() has returned true, in place of ImGui::EndCombo().
void end_combo();

/// The wanted scale. A small window gets a smaller scale unless the person wants a larger one than
/// usual.
[[nodiscard]] float fitting_scale(float wanted, Size window);

}  // namespace submix::ui
