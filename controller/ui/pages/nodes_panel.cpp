// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/sight.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/pages/start_here.hpp"
#include "controller/ui/panel.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace submix::ui {
namespace {

std::string health_words(const model::NodeView& node) {
  const bool counts = node.health == model::Health::silent || node.health == model::Health::gone ||
                      node.health == model::Health::unheard;
  const auto word = std::string(to_string(node.health));
  return counts ? fmt::format("{} {}", word, duration_text(node.silence)) : word;
}

FrameText machine_words(const model::NodeView& node, const Fonts& fonts) {
  if (node.version.empty()) return FrameText("submix-node has not reported yet");
  return FrameText("{} {} {} {} {} cores", node.host, fonts.dot, node.version, fonts.dot,
                   node.cores);
}

std::string speed_words(int speed_mbit) {
  if (speed_mbit <= 0) return {};
  if (speed_mbit < 1000) return fmt::format("{} Mbit/s", speed_mbit);
  return fmt::format("{:.3g} Gbit/s", speed_mbit / 1000.0);
}

constexpr std::size_t kCardsShown = 4;
constexpr const char* kMorePcs = "+ PC";
constexpr float kCoresHeight = 14;

const model::CardView* card_with(const model::NodeView& node, const std::string& address) {
  const auto found = std::ranges::find_if(node.cards, [&](const model::CardView& card) {
    return std::ranges::find(card.addresses, address) != card.addresses.end();
  });
  return found == node.cards.end() ? nullptr : &*found;
}

std::string all_cards(const model::NodeView& node) {
  std::string lines = "Network cards of this machine:";
  for (const auto& card : node.cards) {
    lines += fmt::format(
        "\n{}  {}  MTU {}  {}  {} MB/s in, {} MB/s out", card.name, fmt::join(card.addresses, ", "),
        card.mtu_bytes, card.is_up ? speed_words(card.speed_mbit) : "down",
        rate_text(card.received_mb_per_second), rate_text(card.sent_mb_per_second));
  }
  return lines;
}

/// "98 of 125 MB/s" in the busier direction; "98 MB/s" if the card does not tell its speed.
FrameText traffic_words(const model::CardView& card) {
  if (!card.is_up) return FrameText("down");
  const auto rate = rate_text(std::max(card.received_mb_per_second, card.sent_mb_per_second));
  if (card.speed_mbit <= 0) return FrameText("{} MB/s", rate);
  return FrameText("{} of {} MB/s", rate, card.speed_mbit / 8);
}

ImU32 traffic_color(const model::CardView& card) {
  if (!card.is_up) return color::kBad;
  return card.share().value_or(0) > 0.9 ? color::kWarning : color::kDim;
}

// The addresses at which the node accepts streams, each with its card and the card's present load.
void draw_cards(const model::NodeView& node, Panel& panel) {
  for (std::size_t i = 0; i < std::min(node.endpoints.size(), kCardsShown); ++i) {
    const auto& endpoint = node.endpoints[i];
    const auto* card = card_with(node, endpoint.address);
    const FrameText label = card == nullptr ? FrameText("{}", endpoint.address)
                                            : FrameText("{}  {}  MTU {}", card->name,
                                                        endpoint.address, card->mtu_bytes);
    const auto traffic = card == nullptr ? FrameText("") : traffic_words(*card);
    text_cut(label, ImGui::GetContentRegionAvail().x - width_of(traffic) - panel.px(12),
             color::kDim);
    if (ImGui::IsItemHovered()) tooltip(all_cards(node));
    ImGui::SameLine();
    text_right(traffic, card == nullptr ? color::kDim : traffic_color(*card));
  }
}

// A column for each core, filled from the bottom. If there are too many cores, a column shows the
// busiest of several.
void draw_cores(const model::NodeView& node, Panel& panel) {
  if (node.core_shares.empty()) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = panel.px(kCoresHeight);
  const auto corner = ImGui::GetCursorScreenPos();
  const auto cores = node.core_shares.size();
  const auto columns =
      std::min(cores, static_cast<std::size_t>(std::max(1.0F, width / panel.px(4))));
  const float step = width / static_cast<float>(columns);
  auto& list = *ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < columns; ++i) {
    const auto first = node.core_shares.begin() + static_cast<std::ptrdiff_t>(i * cores / columns);
    const auto last =
        node.core_shares.begin() + static_cast<std::ptrdiff_t>((i + 1) * cores / columns);
    const auto share = static_cast<float>(*std::max_element(first, last));
    const float left = std::round(corner.x + static_cast<float>(i) * step);
    const float right = std::max(left + 1, std::round(left + step - panel.px(2)));
    const ImU32 paint = share > 0.9F ? color::kWarning : color::kAccent;
    list.AddRectFilled(ImVec2(left, corner.y), ImVec2(right, corner.y + height), color::kTrack);
    list.AddRectFilled(ImVec2(left, corner.y + std::round(height * (1 - share))),
                       ImVec2(right, corner.y + height), paint);
  }
  ImGui::Dummy(ImVec2(width, height));
  if (ImGui::IsItemHovered())
    tip("All {} cores of the machine, whoever uses them; the busiest is at {}", cores,
        percent_text(node.busiest_core_share()));
}

std::string load_words(const model::NodeView& node) {
  auto words = fmt::format("Processor: {} of {} cores, memory {}", rate_text(node.cpu_cores),
                           node.cores, bytes_text(node.memory_bytes));
  if (node.machine_memory_bytes == 0) return words;
  return words + fmt::format("; the machine has {} of {} left",
                             bytes_text(node.machine_memory_available_bytes),
                             bytes_text(node.machine_memory_bytes));
}

void draw_load(const model::NodeView& node, Panel& panel) {
  const float width = ImGui::GetContentRegionAvail().x;
  const FrameText words("{} of {} cores, {}", rate_text(node.cpu_cores), node.cores,
                        bytes_text(node.memory_bytes));
  const float bar = std::max(panel.px(24), width - panel.px(176));
  const ImU32 paint = node.cpu_share() > 0.9 ? color::kWarning : color::kAccent;
  const BarPart part{node.cpu_share(), paint};
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::round(ImGui::GetTextLineHeight() * 0.3F));
  parts_bar({&part, 1}, ImVec2(bar, panel.px(6)));
  ImGui::SetCursorPos(ImVec2(ImGui::GetCursorPosX() + bar, y));
  text_right(words, color::kDim);
  if (ImGui::IsItemHovered()) tooltip(load_words(node));
}

// The node's submixes. Each can be dragged to another node.
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
      text(FrameText("run {} on ...", submix.name));
      ImGui::EndDragDropSource();
    }
    ImGui::PopID();
  }
  if (is_first && may_be_forgotten(node, panel.view)) {
    if (ImGui::Button("Forget")) panel.actions.emplace_back(session::ForgetNode{node.name});
    tooltip("It has left, and the show does not name it: the cluster forgets it");
  } else if (is_first) {
    text("runs nothing: drag a submix here", color::kFaint);
  }
  ImGui::PopStyleVar();
}

void accept_submix(const std::string& node, Panel& panel) {
  accept_drop(
      kSubmixPayload,
      [&](const std::string& submix) { return model::Edit(model::AssignSubmix{submix, node}); },
      panel);
}

void draw_node_lines(const model::NodeView& node, Panel& panel) {
  text_in(panel.fonts.strong, node.name);
  if (may_start_here(node, panel)) {
    ImGui::SameLine();
    draw_start_here(node, panel);
  }
  const auto words = health_words(node);
  ImGui::SameLine(
      std::max(ImGui::GetCursorPosX(), ImGui::GetWindowContentRegionMax().x - badge_width(words)));
  badge(words, color_of(node.health));
  ImGui::PushFont(panel.fonts.small);
  text_cut(machine_words(node, panel.fonts), ImGui::GetContentRegionAvail().x,
           node.is_other_version ? color::kWarning : color::kDim);
  if (node.is_other_version) tooltip("This node runs another version than the others: update it.");
  if (node.cores > 0) draw_load(node, panel);
  draw_cores(node, panel);
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
  if (node.name == panel.state.selected_node)
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                        color::kAccent, 0, 0, 2);
  accept_submix(node.name, panel);
  ImGui::PopID();
}

// Scrolls to the node's card once, even if the card is already visible.
void bring_into_sight(const model::NodeView& node, float height, Panel& panel) {
  if (!panel.state.is_node_to_be_shown || node.name != panel.state.selected_node) return;
  panel.state.is_node_to_be_shown = false;
  ImGui::SetScrollFromPosY(ImGui::GetCursorScreenPos().y + height / 2 - ImGui::GetWindowPos().y,
                           0.5F);
}

float card_height(const model::NodeView& node, const Panel& panel) {
  const float line = panel.fonts.text->FontSize + panel.px(4);
  const float small = panel.fonts.small->FontSize + panel.px(4);
  const auto cards = static_cast<float>(std::min(node.endpoints.size(), kCardsShown));
  const float cores = node.core_shares.empty() ? 0 : panel.px(kCoresHeight) + panel.px(4);
  const float load = (node.cores > 0 ? small : 0) + cores;
  return panel.px(16) + 2 * line + small + load + cards * small + panel.px(10);
}

}  // namespace

bool may_be_forgotten(const model::NodeView& node, const model::ClusterView& view) {
  if (node.health != model::Health::gone || view.is_read_only || view.show == nullptr) return false;
  return std::ranges::find(view.show->nodes, node.name, &show::Node::name) ==
         view.show->nodes.end();
}

float nodes_height(const Panel& panel) {
  float height = panel.px(52);
  for (const auto& node : panel.view.nodes)
    height += card_height(node, panel) + panel.px(6);
  return height;
}

void draw_nodes_panel(Panel& panel) {
  const auto& nodes = panel.view.nodes;
  if (begin_panel("Nodes", panel.fonts)) {
    const auto healthy =
        std::ranges::count(nodes, model::Health::healthy, &model::NodeView::health);
    const FrameText words("{} of {} healthy", healthy, nodes.size());
    const float button = width_of(kMorePcs) + 3 * ImGui::GetStyle().FramePadding.x;
    panel_title_right(width_of(words) + button + ImGui::GetStyle().ItemSpacing.x);
    text(words, color::kDim);
    ImGui::SameLine();
    if (ImGui::SmallButton(kMorePcs)) panel.state.several_pcs->open();
    tooltip("More PCs join this show by a code, or this PC joins another desk");
    for (const auto& node : nodes) {
      const float height = card_height(node, panel);
      bring_into_sight(node, height, panel);
      if (!skip_unseen(height)) draw_node(node, panel, height);
    }
    if (nodes.empty()) text("No node has reported yet.", color::kDim);
  }
  end_panel();
}

}  // namespace submix::ui
