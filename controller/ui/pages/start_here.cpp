// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/start_here.hpp"

#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace submix::ui {
namespace {

void start(const std::string& node, Panel& panel) {
  panel.state.local_nodes->to_start.push_back(node);
}

void explain() {
  tooltip("It runs on this PC and plays what the show gives it. It ends with this window");
}

}  // namespace

bool may_start_here(const model::NodeView& node, const Panel& panel) {
  const bool is_away = node.health == model::Health::absent || node.health == model::Health::gone;
  const auto& running = panel.state.local_nodes->running;
  return is_away && !panel.view.is_read_only &&
         std::ranges::find(running, node.name) == running.end();
}

std::vector<std::string> missing_nodes(const Panel& panel) {
  std::vector<std::string> names;
  if (panel.view.show == nullptr) return names;
  for (const auto& named : panel.view.show->nodes) {
    const auto* node = panel.view.find_node(named.name);
    if (node != nullptr && may_start_here(*node, panel)) names.push_back(named.name);
  }
  return names;
}

void start_missing_nodes(Panel& panel) {
  for (const auto& node : missing_nodes(panel))
    start(node, panel);
}

void draw_start_here(const model::NodeView& node, Panel& panel) {
  if (ImGui::SmallButton("Start here")) start(node.name, panel);
  explain();
}

void draw_start_buttons(Panel& panel) {
  for (const auto& node : missing_nodes(panel)) {
    if (ImGui::Button(fmt::format("Start {} on this PC", node).c_str())) start(node, panel);
    explain();
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

}  // namespace submix::ui
