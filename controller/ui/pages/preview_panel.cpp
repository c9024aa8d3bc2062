// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/picture_choice.hpp"
#include "controller/ui/pages/wall.hpp"
#include "controller/ui/panel.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

// A press on the cell shows the picture large.
void draw_cell(const model::SubmixView& submix, ImVec2 size, Panel& panel) {
  const auto corner = ImGui::GetCursorPos();
  if (!ImGui::IsRectVisible(size)) return ImGui::Dummy(size);
  const session::PictureKey key{submix.name, {}};
  ImGui::PushID(submix.name.c_str());
  if (ImGui::InvisibleButton("cell", size)) {
    panel.state.picture = key;
    panel.state.selected_submix = submix.name;
  }
  const bool is_hovered = ImGui::IsItemHovered();
  const float label = ImGui::GetTextLineHeightWithSpacing();
  const auto origin = ImGui::GetItemRectMin();
  draw_picture(key, origin, ImVec2(size.x, size.y - label), panel);
  if (is_hovered || panel.state.picture.submix == submix.name) {
    ImGui::GetWindowDrawList()->AddRect(origin,
                                        ImVec2(origin.x + size.x, origin.y + size.y - label),
                                        is_hovered ? color::kText : color::kAccent, 0, 0, 2);
  }
  ImGui::SetCursorPos(ImVec2(corner.x, corner.y + size.y - label + panel.px(1)));
  badge(submix.name, color_of(submix.state));
  ImGui::SetCursorPos(corner);
  ImGui::Dummy(size);
  ImGui::PopID();
}

struct PreviewWall {
  float columns = 3;
  float rows = 1;
  float gap = 0;
  float cell = 0;  // width of a cell
};

PreviewWall wall_of(float width, const Panel& panel) {
  const auto count = std::max<std::size_t>(panel.view.submixes.size(), 1);
  PreviewWall wall;
  wall.columns = static_cast<float>(std::clamp<std::size_t>(count, 3, 4));
  wall.rows = std::ceil(static_cast<float>(count) / wall.columns);
  wall.gap = panel.px(8);
  wall.cell = std::floor((width - wall.gap * (wall.columns - 1)) / wall.columns);
  return wall;
}

void draw_wall(float width, Panel& panel) {
  const auto [columns, rows, gap, cell] = wall_of(width, panel);
  const float aspect = aspect_of(panel.view.show->size);
  ImGui::PushFont(panel.fonts.small);
  const ImVec2 size(cell, std::round(cell / aspect) + ImGui::GetTextLineHeightWithSpacing());
  float x = ImGui::GetCursorPosX();
  const float left = x;
  for (const auto& submix : panel.view.submixes) {
    if (x > left && x + cell > left + width + 1) x = left;
    if (x > left) ImGui::SameLine();
    ImGui::SetCursorPosX(x);
    draw_cell(submix, size, panel);
    x += cell + gap;
  }
  ImGui::PopFont();
}

}  // namespace

float preview_height(const Panel& panel, float width) {
  if (panel.view.show == nullptr) return 0;
  const float inner = width - panel.px(24);
  const auto wall = wall_of(inner, panel);
  const float label = panel.fonts.small->FontSize + panel.px(12);
  return panel.px(62) + inner / aspect_of(panel.view.show->size) +
         wall.rows * (wall.cell / aspect_of(panel.view.show->size) + label);
}

void draw_preview_panel(Panel& panel) {
  if (begin_panel("Preview", panel.fonts)) {
    if (panel.view.show == nullptr) {
      text("No show yet.", color::kDim);
    } else {
      draw_picture_choice_in_title(panel);
      const float width = ImGui::GetContentRegionAvail().x;
      // Whole also in a low panel; then the wall is below the edge.
      const float usual = std::round(width / aspect_of(panel.view.show->size));
      const float least = panel.px(60);
      const ImVec2 room(width, std::min(usual, std::max(least, ImGui::GetContentRegionAvail().y)));
      draw_picture(panel.state.picture, ImGui::GetCursorScreenPos(), room, panel);
      const float margin = room.y < usual ? ImGui::GetStyle().WindowPadding.y : 0;
      ImGui::Dummy(ImVec2(room.x, room.y + margin));
      draw_wall(width, panel);
    }
  }
  end_panel();
}

}  // namespace submix::ui
