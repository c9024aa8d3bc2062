// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <string>

/// Long lists cost what can be seen of them.
namespace submix::ui {

/// Whether something `height` high would be above or below what can be seen here: then its room is left, and
/// it needs not be drawn.
[[nodiscard]] bool skip_unseen(float height);

/// Calls `draw`, unless what it would draw cannot be seen: then as much room is left as it took the last
/// time. `name` is its own within the window.
template <typename Draw>
void draw_if_seen(const std::string& name, Draw draw) {
  ImGui::PushID(static_cast<int>(ImGui::GetFontSize() * 64));  // heights are of one scale
  const auto id = ImGui::GetID(name.c_str());
  ImGui::PopID();
  auto& heights = *ImGui::GetStateStorage();
  const float known = heights.GetFloat(id, 0);
  if (known > 0 && skip_unseen(known)) return;
  const float top = ImGui::GetCursorPosY();
  draw();
  heights.SetFloat(id, ImGui::GetCursorPosY() - top - ImGui::GetStyle().ItemSpacing.y);
}

}  // namespace submix::ui
