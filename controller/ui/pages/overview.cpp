// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

/// Two panels, one above the other.
struct PageColumn {
  float x = 0;
  float width = 0;
  const char* divider = "";
  float wanted = 0;  // wanted height of the upper panel
  float least = 0.25F;
  float most = 0.7F;
};

void draw_column(const PageColumn& column, float height, Panel& panel, void (*upper)(Panel&),
                 void (*lower)(Panel&)) {
  const float gap = panel.px(kPanelGap);
  const float usual = std::clamp(column.wanted, height * column.least, height * column.most);
  const Divider divider{column.divider, height, usual, panel.px(80), panel.px(80) + gap};
  const float split = length_of(divider, panel);
  ImGui::PushID(column.divider);
  put({"upper", {column.x, 0}, {column.width, split}}, panel, upper);
  put({"lower", {column.x, split + gap}, {column.width, height - split - gap}}, panel, lower);
  draw_handle(divider, {column.x, split}, {column.width, gap}, panel);
  ImGui::PopID();
}

// The list of submixes keeps the room that it fills, and no more if the nodes want it.
float most_of_nodes(float height, const Panel& panel) {
  const auto rows = static_cast<float>(panel.view.submixes.size());
  const float submixes = panel.px(60) + rows * ImGui::GetFrameHeightWithSpacing();
  return std::clamp(1 - submixes / height, 0.7F, 0.85F);
}

}  // namespace

void draw_overview_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  const float least_middle = panel.px(300);
  const float usual_left = std::clamp(room.x * 0.24F, panel.px(290), panel.px(360));
  const float usual_right = std::clamp(room.x * 0.26F, panel.px(280), panel.px(460));
  const float usual_events = std::clamp(room.y * 0.15F, panel.px(90), panel.px(170));
  const Divider right_edge{"overview-right", room.x,        usual_right,
                           panel.px(220),    panel.px(540), true};
  const float right = length_of(right_edge, panel);
  const Divider left_edge{"overview-left", room.x, usual_left, panel.px(200),
                          right + least_middle + 4 * gap};
  const float left = length_of(left_edge, panel);
  const Divider events_edge{"overview-events", room.y,        usual_events,
                            panel.px(60),      room.y * 0.5F, true};
  const float events = length_of(events_edge, panel);
  const float middle = room.x - left - right - 4 * gap;
  const float height = room.y - events - 2 * gap;
  const PageColumn nodes{
      gap, left, "overview-nodes", nodes_height(panel), 0.25F, most_of_nodes(height, panel)};
  const PageColumn links{2 * gap + left, middle, "overview-links", links_height(panel), 0.2F, 0.6F};
  const PageColumn preview{3 * gap + left + middle,      right, "overview-preview",
                           preview_height(panel, right), 0.3F,  0.65F};
  draw_column(nodes, height, panel, draw_nodes_panel, draw_submixes_panel);
  draw_column(links, height, panel, draw_links_panel, draw_queues_panel);
  draw_column(preview, height, panel, draw_preview_panel, draw_patch_panel);
  put({"events", {gap, height + gap}, {room.x - 2 * gap, events}}, panel, draw_events_panel);
  draw_handle(left_edge, {gap + left, 0}, {gap, height}, panel);
  draw_handle(right_edge, {2 * gap + left + middle, 0}, {gap, height}, panel);
  draw_handle(events_edge, {gap, height}, {room.x - 2 * gap, gap}, panel);
}

}  // namespace submix::ui
