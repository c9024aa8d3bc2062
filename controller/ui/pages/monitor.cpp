// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/picture_choice.hpp"
#include "controller/ui/pages/scopes_panel.hpp"
#include "controller/ui/pages/wall.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

constexpr const char* kCellPayload = "wall cell";
constexpr float kScopesWidth = 320;
constexpr float kSizeMin = 120;
constexpr float kSizeMax = 640;

std::vector<session::PictureKey> usual_pictures(const Panel& panel) {
  std::vector<session::PictureKey> keys;
  for (const auto& submix : panel.view.show->submixes)
    keys.push_back({submix.name, {}});
  return keys;
}

// Begins to drag this cell, or accepts a cell that is dropped on it.
void drag_cell(std::size_t index, Panel& panel) {
  auto& wall = *panel.state.wall;
  if (ImGui::BeginDragDropSource()) {
    ImGui::SetDragDropPayload(kCellPayload, &index, sizeof(index));
    text(picture_name(wall.keys[index]));
    ImGui::EndDragDropSource();
  }
  if (!ImGui::BeginDragDropTarget()) return;
  if (const auto* payload = ImGui::AcceptDragDropPayload(kCellPayload))
    swap_cells(wall, *static_cast<const std::size_t*>(payload->Data), index);
  ImGui::EndDragDropTarget();
}

void draw_cell(std::size_t index, const WallCell& cell, Panel& panel) {
  auto& wall = *panel.state.wall;
  const auto origin = ImGui::GetCursorScreenPos();
  const float label = ImGui::GetFrameHeightWithSpacing();
  const ImVec2 size(cell.width, cell.height - label);
  ImGui::PushID(static_cast<int>(index));
  ImGui::InvisibleButton("picture", size);
  const bool is_hovered = ImGui::IsItemHovered();
  if (is_hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) wall.large = index;
  drag_cell(index, panel);
  if (ImGui::IsItemVisible()) draw_picture(wall.keys[index], origin, size, panel);
  if (is_hovered)
    ImGui::GetWindowDrawList()->AddRect(origin, ImVec2(origin.x + size.x, origin.y + size.y),
                                        color::kAccent, 0, 0, 2);
  ImGui::SetCursorScreenPos(ImVec2(origin.x, origin.y + size.y + panel.px(2)));
  draw_picture_choice(wall.keys[index], cell.width, panel);
  ImGui::PopID();
}

void draw_layouts(Wall& wall) {
  struct Choice {
    WallLayout layout;
    const char* word;
  };
  for (const auto& choice : {Choice{WallLayout::row, "Row"}, Choice{WallLayout::column, "Column"},
                             Choice{WallLayout::tiled, "Tiled"}}) {
    if (ImGui::RadioButton(choice.word, wall.layout == choice.layout)) wall.layout = choice.layout;
    ImGui::SameLine();
  }
}

void draw_settings(Panel& panel) {
  auto& wall = *panel.state.wall;
  draw_layouts(wall);
  ImGui::SetNextItemWidth(panel.px(160));
  ImGui::SliderInt("##count", &wall.cells, 1, kWallCellsMax, "%d pictures",
                   ImGuiSliderFlags_AlwaysClamp);
  ImGui::SameLine();
  bool is_fitted = wall.size <= 0;
  if (ImGui::Checkbox("Fit the window", &is_fitted)) wall.size = is_fitted ? 0 : 320;
  if (!is_fitted) {
    ImGui::SameLine();
    ImGui::SetNextItemWidth(panel.px(160));
    ImGui::SliderFloat("##size", &wall.size, kSizeMin, kSizeMax, "%.0f wide",
                       ImGuiSliderFlags_AlwaysClamp);
  }
  ImGui::SameLine();
  ImGui::Checkbox("Scopes", &panel.state.scopes->are_shown);
  tooltip("Waveform, vectorscope and histogram of a picture (Ctrl+Shift+M)");
  ImGui::SameLine();
  text("double click: fill the window; drag: change places", color::kFaint);
}

void draw_cells(Panel& panel) {
  const auto avail = ImGui::GetContentRegionAvail();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::BeginChild("wall", avail, false, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PopStyleColor();
  const WallRoom room{avail.x,
                      avail.y - panel.px(2),
                      aspect_of(panel.view.show->size),
                      ImGui::GetFrameHeightWithSpacing(),
                      panel.px(10),
                      panel.state.scale};
  const auto cells = wall_cells(*panel.state.wall, room);
  const auto origin = ImGui::GetCursorScreenPos();
  for (std::size_t i = 0; i < std::min(cells.size(), panel.state.wall->keys.size()); ++i) {
    ImGui::SetCursorScreenPos(ImVec2(origin.x + cells[i].x, origin.y + cells[i].y));
    draw_cell(i, cells[i], panel);
  }
  ImGui::EndChild();
}

void draw_monitor_content(Panel& panel) {
  if (begin_panel("Monitor", panel.fonts)) {
    if (panel.view.show == nullptr || panel.view.show->submixes.empty()) {
      text("No show, no pictures.", color::kDim);
    } else {
      fill_monitor_wall(panel);
      ImGui::PushFont(panel.fonts.small);
      draw_settings(panel);
      draw_cells(panel);
      ImGui::PopFont();
    }
  }
  end_panel();
}

}  // namespace

void fill_monitor_wall(Panel& panel) {
  fill_wall(*panel.state.wall, usual_pictures(panel), all_pictures(*panel.view.show));
}

std::optional<session::PictureKey> large_picture(const PanelState& state) {
  const auto& wall = *state.wall;
  return wall.large && *wall.large < wall.keys.size() ? std::optional(wall.keys[*wall.large])
                                                      : std::nullopt;
}

void draw_large_picture(Panel& panel) {
  const auto key = large_picture(panel.state);
  if (!key) return;
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::InvisibleButton("picture", screen);
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
    panel.state.wall->large.reset();
  draw_picture(*key, ImVec2(0, 0), screen, panel);
  panel.watched_large = key;
  const auto words = picture_name(*key) + "  (Esc)";
  ImGui::GetWindowDrawList()->AddText(ImVec2(panel.px(14), panel.px(12)), kDarkScheme.dim,
                                      words.c_str());
}

void draw_monitor_page(Panel& panel) {
  const auto [corner, size] = whole_room(panel);
  const bool has_scopes = size.x > panel.px(2 * kScopesWidth) && panel.state.scopes->are_shown &&
                          !is_moved_out(kScopesView, panel.state);
  const float scopes = has_scopes ? panel.px(kScopesWidth) : 0;
  const float gap = has_scopes ? panel.px(kPanelGap) : 0;
  const float wall = size.x - scopes - gap;
  put({"monitor", corner, {wall, size.y}}, panel, draw_monitor_content);
  if (!has_scopes) return;
  put({"scopes", {corner.x + wall + gap, 0}, {scopes, size.y}}, panel, draw_scopes_panel);
}

}  // namespace submix::ui
