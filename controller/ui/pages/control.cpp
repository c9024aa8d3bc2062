// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/pages/control_panels.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {

void draw_control_page(Panel& panel) {
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  const float usual_left = std::clamp(room.x * 0.36F, panel.px(340), panel.px(480));
  const Divider left_edge{"control-left", room.x, usual_left, panel.px(300), panel.px(480)};
  const float left = length_of(left_edge, panel);
  const float right = room.x - left - 3 * gap;
  const float height = room.y - gap;
  const float tempo = panel.px(150);
  const float usual_devices = std::clamp(height * 0.24F, panel.px(120), panel.px(220));
  const Divider devices_edge{"control-devices",     height, usual_devices, panel.px(80),
                             tempo + panel.px(140), true};
  const float devices = length_of(devices_edge, panel);
  const float osc = height - tempo - devices - 2 * gap;
  put({"osc", {gap, 0}, {left, osc}}, panel, draw_osc_panel);
  put({"tempo", {gap, osc + gap}, {left, tempo}}, panel, draw_tempo_panel);
  put({"devices", {gap, osc + tempo + 2 * gap}, {left, devices}}, panel, draw_midi_devices_panel);
  const float usual_heard = std::clamp(height * 0.25F, panel.px(120), panel.px(260));
  const Divider heard_edge{"control-heard", height, usual_heard, panel.px(80), panel.px(140), true};
  const float heard = length_of(heard_edge, panel);
  const float x = 2 * gap + left;
  put({"mappings", {x, 0}, {right, height - heard - gap}}, panel, draw_mappings_panel);
  put({"heard", {x, height - heard}, {right, heard}}, panel, draw_heard_panel);
  draw_handle(left_edge, {gap + left, 0}, {gap, height}, panel);
  draw_handle(devices_edge, {gap, height - devices - gap}, {left, gap}, panel);
  draw_handle(heard_edge, {x, height - heard - gap}, {right, gap}, panel);
}

}  // namespace submix::ui
