// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/arrow_keys.hpp"

#include <imgui_internal.h>

namespace submix::ui {

void let_arrow_keys_move(bool on) {
  auto& flags = ImGui::GetIO().ConfigFlags;
  flags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  if (on) flags |= ImGuiConfigFlags_NavEnableKeyboard;
}

std::optional<ImVec2> control_of_arrow_keys() {
  const auto& context = *ImGui::GetCurrentContext();
  auto* window = context.NavWindow;
  if (window == nullptr || context.NavId == 0) return std::nullopt;
  const auto& place = window->NavRectRel[context.NavLayer];
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::WindowRectRelToAbs(window, place).GetCenter();
#else
  const auto middle = place.GetCenter();
  return ImVec2(window->Pos.x + middle.x, window->Pos.y + middle.y);
#endif
}

}  // namespace submix::ui
