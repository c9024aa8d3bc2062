// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/format.hpp"
#include "controller/ui/panels.hpp"
#include "controller/ui/widgets.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace submix::ui {
namespace {

std::string health_words(const model::NodeView& node) {
  const bool counts = node.health == model::Health::silent || node.health == model::Health::gone;
  const auto word = std::string(to_string(node.health));
  return counts ? fmt::format("{} {}", word, duration_text(node.silence)) : word;
}

std::string machine_words(const model::NodeView& node, const Fonts& fonts) {
  if (node.version.empty()) return "submix-node has not reported yet";
  return fmt::format("{} {} {} {} {} cores", node.host, fonts.dot, node.version, fonts.dot, node.cores);
}

std::string speed_words(int speed_mbit) {
  if (speed_mbit <= 0) return {};
  if (speed_mbit < 1000) return fmt::format("{} Mbit/s", speed_mbit);
  return fmt::format("{:.3g} Gbit/s", speed_mbit / 1000.0);
}

constexpr std::size_t kCardsShown = 4;

const NetworkInterface* interface_with(const model::NodeView& node, const std::string& address) {
  const auto found = std::ranges::find(node.interfaces, address, &NetworkInterface::address);
  return found == node.interfaces.end() ? nullptr : &*found;
}

std::string all_interfaces(const model::NodeView& node) {
  std::string lines = "Network interfaces of this machine:";
  for (const auto& card : node.interfaces) {
    lines += fmt::format("\n{}  {}/{}  {}", card.name, card.address, card.prefix_length,
                         card.is_up ? speed_words(card.speed_mbit) : "down");
  }
  return lines;
}

// The addresses it takes streams at, each with its card.
void draw_cards(const model::NodeView& node, Panel& panel) {
  for (std::size_t i = 0; i < std::min(node.endpoints.size(), kCardsShown); ++i) {
    const auto& endpoint = node.endpoints[i];
    const auto* card = interface_with(node, endpoint.address);
    const auto name = card == nullptr ? std::string() : card->name + "  ";
    const auto speed = card == nullptr ? std::string() : speed_words(card->speed_mbit);
    text_cut(name + endpoint.address, ImGui::GetContentRegionAvail().x - width_of(speed) - panel.px(12),
             color::kDim);
    tooltip(all_interfaces(node));
    ImGui::SameLine();
    text_right(speed, color::kDim);
  }
}

void draw_load(const model::NodeView& node, Panel& panel) {
  const float width = ImGui::GetContentRegionAvail().x;
  const auto words = fmt::format("{} of {} cores", rate_text(node.cpu_cores), node.cores);
  const float bar = width - panel.px(122);
  const ImU32 paint = node.cpu_share() > 0.9 ? color::kWarning : color::kAccent;
  const BarPart part{node.cpu_share(), paint};
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::round(ImGui::GetTextLineHeight() * 0.3F));
  parts_bar({&part, 1}, ImVec2(bar, panel.px(6)));
  ImGui::SetCursorPos(ImVec2(ImGui::GetCursorPosX() + bar, y));
  text_right(words, color::kDim);
  tooltip(fmt::format("Processor: {} of {} cores, memory {}", rate_text(node.cpu_cores), node.cores,
                      bytes_text(node.memory_bytes)));
}

// The submixes it runs, to be taken from here to another node.
void draw_chips(const model::NodeView& node, Panel& panel) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(panel.px(9), panel.px(2)));
  bool is_first = true;
  for (const auto& submix : panel.view.submixes) {
    if (submix.node != node.name) continue;
    const float width = width_of(submix.name) + 2 * ImGui::GetStyle().FramePadding.x;
    if (!is_first) ImGui::SameLine();
    if (!is_first && ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
    is_first = false;
    ImGui::PushID(submix.name.c_str());
    ImGui::PushStyleColor(ImGuiCol_Button, color::kChip);
    if (ImGui::Button(submix.name.c_str())) panel.state.selected_submix = submix.name;
    ImGui::PopStyleColor();
    if (ImGui::BeginDragDropSource()) {
      ImGui::SetDragDropPayload(kSubmixPayload, submix.name.data(), submix.name.size());
      text(fmt::format("run {} on ...", submix.name));
      ImGui::EndDragDropSource();
    }
    ImGui::PopID();
  }
  if (is_first) text("runs nothing: drag a submix here", color::kFaint);
  ImGui::PopStyleVar();
}

void accept_submix(const std::string& node, Panel& panel) {
  if (!ImGui::BeginDragDropTarget()) return;
  if (const auto* payload = ImGui::AcceptDragDropPayload(kSubmixPayload)) {
    std::string submix(static_cast<const char*>(payload->Data), static_cast<std::size_t>(payload->DataSize));
    panel.actions.push_back(session::EditShow{model::AssignSubmix{std::move(submix), node}});
  }
  ImGui::EndDragDropTarget();
}

void draw_node_lines(const model::NodeView& node, Panel& panel) {
  text_in(panel.fonts.strong, node.name);
  const auto words = health_words(node);
  ImGui::SameLine(
      std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - badge_width(words)));
  badge(words, color_of(node.health));
  ImGui::PushFont(panel.fonts.small);
  text_cut(machine_words(node, panel.fonts), ImGui::GetContentRegionAvail().x,
           node.is_other_version ? color::kWarning : color::kDim);
  if (node.is_other_version) tooltip("This node runs another version than the others: update it.");
  if (node.cores > 0) draw_load(node, panel);
  draw_cards(node, panel);
  ImGui::PopFont();
  draw_chips(node, panel);
}

void draw_node(const model::NodeView& node, Panel& panel, float height) {
  ImGui::PushID(node.name.c_str());
  ImGui::PushStyleColor(ImGuiCol_ChildBg, color::kCard);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(11), panel.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(panel.px(8), panel.px(4)));
  ImGui::BeginChild("node", ImVec2(0, height), false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  draw_node_lines(node, panel);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
  accept_submix(node.name, panel);
  ImGui::PopID();
}

float card_height(const model::NodeView& node, const Panel& panel) {
  const float line = panel.fonts.text->FontSize + panel.px(4);
  const float small = panel.fonts.small->FontSize + panel.px(4);
  const auto cards = static_cast<float>(std::min(node.endpoints.size(), kCardsShown));
  const float load = node.cores > 0 ? small : 0;
  return panel.px(16) + 2 * line + small + load + cards * small + panel.px(10);
}

}  // namespace

float nodes_height(const Panel& panel) {
  float height = panel.px(52);
  for (const auto& node : panel.view.nodes)
    height += card_height(node, panel) + panel.px(6);
  return height;
}

void draw_nodes_panel(Panel& panel) {
  const auto& nodes = panel.view.nodes;
  if (begin_panel("Nodes", panel.fonts)) {
    const auto healthy = std::ranges::count(nodes, model::Health::healthy, &model::NodeView::health);
    const auto words = fmt::format("{} of {} healthy", healthy, nodes.size());
    panel_title_right(width_of(words));
    text(words, color::kDim);
    for (const auto& node : nodes)
      draw_node(node, panel, card_height(node, panel));
    if (nodes.empty()) text("No node has reported yet.", color::kDim);
  }
  end_panel();
}

}  // namespace submix::ui
