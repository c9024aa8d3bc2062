// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/divider.hpp"

#include "controller/ui/draw/dividers_state.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

// If the room is too small for both panels, the panel shrinks, down to nothing.
float within_limits(const Divider& divider, float length) {
  const float most = std::max(0.0F, divider.room - divider.least_behind);
  return std::round(std::clamp(length, std::min(divider.least, most), most));
}

float along(ImVec2 point, bool is_upright) {
  return is_upright ? point.x : point.y;
}

void follow_mouse(const Divider& divider, bool is_upright, Panel& panel) {
  auto& dividers = *panel.state.dividers;
  const float mouse = along(ImGui::GetMousePos(), is_upright);
  const float sign = divider.is_behind ? -1.0F : 1.0F;
  if (ImGui::IsItemActivated()) dividers.grabbed_at = sign * mouse - length_of(divider, panel);
  if (!ImGui::IsItemActive() || !ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1)) return;
  dividers.shares[divider.name] =
      within_limits(divider, sign * mouse - dividers.grabbed_at) / divider.room;
}

}  // namespace

float length_of(const Divider& divider, const Panel& panel) {
  const auto& shares = panel.state.dividers->shares;
  const auto dragged = shares.find(std::string_view(divider.name));
  return within_limits(divider,
                       dragged == shares.end() ? divider.usual : dragged->second * divider.room);
}

void draw_handle(const Divider& divider, ImVec2 corner, ImVec2 size, Panel& panel) {
  if (size.x <= 0 || size.y <= 0 || divider.room <= 0) return;
  const bool is_upright = size.y > size.x;
  ImGui::SetCursorPos(corner);
  ImGui::InvisibleButton(divider.name, size);
  follow_mouse(divider, is_upright, panel);
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  ImGui::SetMouseCursor(is_upright ? ImGuiMouseCursor_ResizeEW : ImGuiMouseCursor_ResizeNS);
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    panel.state.dividers->shares.erase(divider.name);
  auto from = ImGui::GetItemRectMin();
  auto to = ImGui::GetItemRectMax();
  const float thickness = std::max(2.0F, panel.px(2));
  auto& start = is_upright ? from.x : from.y;
  auto& end = is_upright ? to.x : to.y;
  start = std::round((start + end - thickness) / 2);
  end = start + thickness;
  ImGui::GetWindowDrawList()->AddRectFilled(from, to,
                                            ImGui::IsItemActive() ? color::kAccent : color::kFaint);
}

}  // namespace submix::ui
