// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {

void draw_patch_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  const float usual_left = std::clamp(room.x * 0.34F, panel.px(330), panel.px(620));
  const float usual_middle = std::clamp(room.x * 0.30F, panel.px(280), panel.px(560));

  const Divider slots_edge{"patch-slots", room.x, usual_left, panel.px(280), panel.px(520)};
  const float left = length_of(slots_edge, panel);

  const Divider browser_edge{"patch-browser", room.x - left, usual_middle, panel.px(220),
                             panel.px(240)};
  const float middle = length_of(browser_edge, panel);
  const float right = room.x - left - middle - 4 * gap;

  const Divider graph_edge{"patch-graph", room.y, panel.px(136), panel.px(96), panel.px(430), true};
  const float graph = length_of(graph_edge, panel);
  const float height = room.y - graph - 2 * gap;

  const Divider chosen_edge{"patch-chosen", height,        panel.px(186),
                            panel.px(90),   panel.px(140), true};
  const float chosen = length_of(chosen_edge, panel);

  const float usual_picture =
      std::clamp(preview_height(panel, right), height * 0.25F, height * 0.45F);
  const Divider picture_edge{"patch-preview", height, usual_picture, panel.px(100), panel.px(100)};
  const float picture = length_of(picture_edge, panel);

  put({"graph", {gap, height + gap}, {room.x - 2 * gap, graph}}, panel, draw_patch_graph_panel);
  put({"slots", {gap, 0}, {left, height - chosen - gap}}, panel, draw_slots_panel);
  put({"slot", {gap, height - chosen}, {left, chosen}}, panel, draw_slot_panel);
  put({"browser", {2 * gap + left, 0}, {middle, height}}, panel, draw_plugin_browser);
  const float x = 3 * gap + left + middle;
  put({"preview", {x, 0}, {right, picture}}, panel, draw_preview_panel);
  put({"patch", {x, picture + gap}, {right, height - picture - gap}}, panel, draw_patch_panel);

  draw_handle(slots_edge, {gap + left, 0}, {gap, height}, panel);
  draw_handle(browser_edge, {x - gap, 0}, {gap, height}, panel);
  draw_handle(chosen_edge, {gap, height - chosen - gap}, {left, gap}, panel);
  draw_handle(picture_edge, {x, picture}, {right, gap}, panel);
  draw_handle(graph_edge, {gap, height}, {room.x - 2 * gap, gap}, panel);
}

}  // namespace submix::ui
