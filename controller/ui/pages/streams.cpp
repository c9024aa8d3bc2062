// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {

void draw_streams_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  const float usual_side = std::clamp(room.x * 0.28F, panel.px(320), panel.px(460));
  const Divider side_edge{"streams-side", room.x, usual_side, panel.px(280), panel.px(420), true};
  const float side = length_of(side_edge, panel);
  const float bay = room.x - side - 3 * gap;
  const float height = room.y - gap;
  const Divider format_edge{"streams-format", height,        panel.px(210),
                            panel.px(100),    panel.px(140), true};
  const float format = length_of(format_edge, panel);
  put({"bay", {gap, 0}, {bay, height}}, panel, draw_patch_bay);
  put({"stream", {2 * gap + bay, 0}, {side, height - format - gap}}, panel, draw_stream_panel);
  put({"format", {2 * gap + bay, height - format}, {side, format}}, panel, draw_format_panel);
  draw_handle(side_edge, {gap + bay, 0}, {gap, height}, panel);
  draw_handle(format_edge, {2 * gap + bay, height - format - gap}, {side, gap}, panel);
}

}  // namespace submix::ui
