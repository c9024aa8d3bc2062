// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/text_field.hpp"

#include "controller/ui/draw/widgets.hpp"

#include <imgui_stdlib.h>

namespace submix::ui {

void hint(std::string_view words) {
  text_wrapped(words, color::kDim);
}

std::optional<std::string> entered(const char* id, const std::string& present, float width,
                                   Panel& panel) {
  auto typed = panel.state.texts.try_emplace(id, present).first;
  ImGui::SetNextItemWidth(width);
  const bool is_entered =
      ImGui::InputText(id, &typed->second, ImGuiInputTextFlags_EnterReturnsTrue);
  auto words = is_entered && typed->second != present ? std::optional(typed->second) : std::nullopt;
  if (is_entered || !ImGui::IsItemActive()) panel.state.texts.erase(typed);
  return words;
}

}  // namespace submix::ui
