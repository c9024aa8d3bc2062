// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/picture_drawing.hpp"

#include "controller/ui/draw/picture_age.hpp"
#include "controller/ui/draw/picture_textures.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

// The corner of something of `size` in the middle of a rectangle, on whole pixels.
ImVec2 corner_in_middle(ImVec2 corner, ImVec2 room, ImVec2 size) {
  return {std::round(corner.x + (room.x - size.x) / 2),
          std::round(corner.y + (room.y - size.y) / 2)};
}

}  // namespace

void draw_picture(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), IM_COL32(0, 0, 0, 255));
  panel.watched.push_back(key);
  const auto found = panel.pictures.find(key);
  const auto picture = found == panel.pictures.end() ? nullptr : found->second;
  const auto texture = panel.textures.texture_of(key, picture);
  if (texture == ImTextureID{}) {
    const char* words = "no picture yet";
    const auto from = corner_in_middle(corner, size, ImGui::CalcTextSize(words));
    return draw->AddText(from, kDarkScheme.dim, words);  // the ground is black in any theme
  }
  const auto width = static_cast<float>(picture->size.width);
  const auto height = static_cast<float>(picture->size.height);
  const float zoom = std::min(size.x / width, size.y / height);
  const ImVec2 shown(std::round(width * zoom), std::round(height * zoom));
  const auto from = corner_in_middle(corner, size, shown);
  draw->AddImage(texture, from, ImVec2(from.x + shown.x, from.y + shown.y));
  draw_picture_age(key, from, shown, panel);
}

}  // namespace submix::ui
