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

FingerStyle::FingerStyle(const Panel& panel) : is_large_(panel.state.is_touched) {
  if (!is_large_) return;
  constexpr float kGrab = 28;
  const auto& padding = ImGui::GetStyle().FramePadding;
  const float height = (panel.px(kFingertip) - ImGui::GetFontSize()) / 2;
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding.x, std::max(padding.y, height)));
  ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, panel.px(kGrab));
}

FingerStyle::~FingerStyle() {
  if (is_large_) ImGui::PopStyleVar(2);
}

FingerRows::FingerRows(const Panel& panel) : is_high_(panel.state.is_touched) {
  if (!is_high_) return;
  const auto& spacing = ImGui::GetStyle().ItemSpacing;
  const float between = panel.px(kFingertip) - ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(spacing.x, between));
}

FingerRows::~FingerRows() {
  if (is_high_) ImGui::PopStyleVar();
}

bool begin_combo(const char* id, const char* shown, const Panel& panel, ImGuiComboFlags flags) {
  if (!ImGui::BeginCombo(id, shown, flags)) return false;
  auto spacing = ImGui::GetStyle().ItemSpacing;
  if (panel.state.is_touched) spacing.y = panel.px(kFingertip) - ImGui::GetFontSize();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, spacing);
  return true;
}

void end_combo() {
  ImGui::PopStyleVar();
  ImGui::EndCombo();
}

void put(const PanelPlace& place, Panel& panel, void (*draw)(Panel&)) {
  ImGui::SetCursorPos(place.corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  const auto ground = place.has_ground ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoBackground;
  ImGui::BeginChild(place.name, place.size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ground);
  ImGui::PopStyleVar();
  draw(panel);
  ImGui::EndChild();
}

}  // namespace submix::ui
