// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/layout.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {

float fitting_scale(float wanted, Size window) {
  const float room =
      std::min(static_cast<float>(window.width) / static_cast<float>(kLayoutSize.width),
               static_cast<float>(window.height) / static_cast<float>(kLayoutSize.height));
  const float steps = std::floor((wanted > 1 ? wanted : std::min(wanted, room)) * 16);
  return std::clamp(steps / 16, kScaleMin, kScaleMax);
}

bool is_narrow(float width, const Panel& panel) {
  return width < panel.px(static_cast<float>(kLayoutSize.width));
}

bool is_small_window(const Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  return screen.x < panel.px(static_cast<float>(kLeastLayoutSize.width)) ||
         screen.y < panel.px(static_cast<float>(kLeastLayoutSize.height));
}

bool has_short_bars(const Panel& panel) {
  constexpr float kHeightOfTallBars = 800;
  return is_small_window(panel) || ImGui::GetIO().DisplaySize.y < panel.px(kHeightOfTallBars);
}

void push_finger_style(const Panel& panel) {
  constexpr float kGrab = 28;
  const auto& style = ImGui::GetStyle();
  auto padding = style.FramePadding;
  float grab = style.GrabMinSize;
  if (panel.state.is_touched) {
    padding.y = std::max(padding.y, (panel.px(kFingertip) - ImGui::GetFontSize()) / 2);
    grab = panel.px(kGrab);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, grab);
}

void pop_finger_style() {
  ImGui::PopStyleVar(2);
}

bool small_button(const char* label, const Panel& panel) {
  if (!panel.state.is_touched) return ImGui::SmallButton(label);
  return ImGui::Button(label, ImVec2(0, panel.px(kFingertip)));
}

namespace {

// Half of it is above a row, and half below: also at both ends of the menu.
float between_finger_rows(const Panel& panel) {
  return panel.px(kFingertip) - ImGui::GetFontSize();
}

void push_menu_padding(const Panel& panel) {
  auto padding = ImGui::GetStyle().WindowPadding;
  if (panel.state.is_touched)
    padding.y = std::max(padding.y, std::ceil(between_finger_rows(panel) / 2));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
}

void push_row_spacing(const Panel& panel) {
  auto spacing = ImGui::GetStyle().ItemSpacing;
  if (panel.state.is_touched) spacing.y = between_finger_rows(panel);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
}

}  // namespace

FingerRows::FingerRows(const Panel& panel) {
  push_row_spacing(panel);
  push_menu_padding(panel);
}

FingerRows::~FingerRows() {
  ImGui::PopStyleVar(2);
}

bool begin_combo(const char* id, const char* shown, const Panel& panel, ImGuiComboFlags flags) {
  push_menu_padding(panel);
  const bool is_open = ImGui::BeginCombo(id, shown, flags);
  ImGui::PopStyleVar();
  if (is_open) push_row_spacing(panel);
  return is_open;
}

void end_combo() {
  ImGui::PopStyleVar();
  ImGui::EndCombo();
}

PanelArea whole_room(const Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  return {{gap, 0}, {room.x - 2 * gap, room.y - gap}};
}

void put(const PanelPlace& place, Panel& panel, void (*draw)(Panel&)) {
  ImGui::SetCursorPos(place.corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const auto ground = place.has_ground ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoBackground;
  ImGui::BeginChild(place.name, place.size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                        ImGuiWindowFlags_NavFlattened | ground);
  ImGui::PopStyleVar();
  draw(panel);
  ImGui::EndChild();
}

}  // namespace submix::ui
