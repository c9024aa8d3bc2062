// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/sight.hpp"

#include <algorithm>

namespace submix::ui {

bool skip_unseen(float height) {
  const auto corner = ImGui::GetCursorScreenPos();
  const float width = std::max(1.0F, ImGui::GetContentRegionAvail().x);
  if (ImGui::IsRectVisible(corner, ImVec2(corner.x + width, corner.y + height))) return false;
  ImGui::Dummy(ImVec2(0, height));
  return true;
}

}  // namespace submix::ui
