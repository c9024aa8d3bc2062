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
