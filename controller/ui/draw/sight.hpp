// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <string>

/// Skips the invisible rows of long lists, so that a list costs only its visible part.
namespace submix::ui {

/// Whether something of this height at the cursor would be out of sight. If true, the cursor has
/// moved past it and the caller must not draw it.
[[nodiscard]] bool skip_unseen(float height);

/// Calls `draw` unless the result would be out of sight. A skipped entry leaves as much room as it
/// took the last time. `name` is unique in the current ImGui window.
template <typename Draw>
void draw_if_seen(const std::string& name, Draw draw) {
  // The known heights are valid for one scale.
  ImGui::PushID(static_cast<int>(ImGui::GetFontSize() * 64));
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
