// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/second_view.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/wall.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

constexpr const char* kButton = "Second window";

void draw_black(ImVec2 screen) {
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(0, 0), screen, IM_COL32(0, 0, 0, 255));
}

// An audience may see this window: a black-out is one here, too, and a frozen picture tells no age.
void draw_programme(ImVec2 screen, Panel& panel) {
  if (panel.view.transport.is_black) return;
  const session::PictureKey key{mix_of(panel).submix, {}};
  const auto draw = panel.view.transport.is_frozen ? &draw_held_picture : &draw_picture;
  draw(key, ImVec2(0, 0), screen, panel);
  if (!panel.watched_large) panel.watched_large = key;
}

void draw_wall(ImVec2 screen, Panel& panel) {
  auto& wall = *panel.state.wall;
  fill_monitor_wall(panel);
  auto fitted = wall;
  fitted.size = 0;
  const float label = ImGui::GetTextLineHeightWithSpacing();
  const WallRoom room{screen.x, screen.y,    aspect_of(panel.view.show->size),
                      label,    panel.px(6), panel.state.scale};
  const auto cells = wall_cells(fitted, room);
  auto* draw = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < std::min(cells.size(), wall.keys.size()); ++i) {
    const ImVec2 corner(cells[i].x, cells[i].y);
    const ImVec2 size(cells[i].width, cells[i].height - label);
    draw_picture(wall.keys[i], corner, size, panel);
    draw->AddText(ImVec2(corner.x + panel.px(4), corner.y + size.y), kDarkScheme.text,
                  picture_name(wall.keys[i]).c_str());
  }
}

}  // namespace

void draw_second_view(Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  draw_black(screen);
  if (panel.view.show == nullptr || panel.view.show->submixes.empty()) return;
  if (panel.state.second_view == SecondView::programme) draw_programme(screen, panel);
  if (panel.state.second_view == SecondView::wall) draw_wall(screen, panel);
}

void toggle_second_view(SecondView view, Panel& panel) {
  auto& shown = panel.state.second_view;
  shown = shown == view ? SecondView::none : view;
}

float second_window_button_width() {
  return width_of(kButton) + 2 * ImGui::GetStyle().FramePadding.x;
}

void draw_second_window_button(Panel& panel) {
  if (ImGui::SmallButton(kButton)) ImGui::OpenPopup("second window");
  tooltip("The programme or the wall of pictures in a window of its own, for any display");
  const FingerRows rows(panel);
  if (!ImGui::BeginPopup("second window")) return;
  const auto shown = panel.state.second_view;
  text("Open a second window", color::kDim);
  if (ImGui::MenuItem("Programme", "Ctrl+Shift+P", shown == SecondView::programme))
    toggle_second_view(SecondView::programme, panel);
  if (ImGui::MenuItem("Wall of pictures", "Ctrl+Shift+W", shown == SecondView::wall))
    toggle_second_view(SecondView::wall, panel);
  text("A double click or F11 in it: full screen", color::kFaint);
  ImGui::EndPopup();
}

}  // namespace submix::ui
