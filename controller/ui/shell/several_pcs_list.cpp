// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs_list.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace submix::ui {
namespace {

constexpr std::size_t kRowsShown = 4;  // the others are scrolled to
constexpr std::size_t kRowsShownInLowWindow = 2;
constexpr float kRowHeight = 50;
constexpr float kBelowRow = 10;  // of its height
constexpr float kRemoveWidth = 110;
constexpr float kRemoveHeight = 30;
constexpr float kRightsWidth = 150;
constexpr float kBadgeWidth = 150;

// "198.18.0.2 · joined 2026-11-28 14:03 · plays as left".
std::string facts_of(const pairing::PeerNow& pc, const Fonts& fonts) {
  auto facts = fmt::format("{} {} joined {}", pc.peer.address, fonts.dot, joined_text(pc.peer));
  const auto nodes = pairing::nodes_of(pc);
  const bool may_play = pc.peer.rights != cluster::Rights::watch;
  if (may_play && !nodes.empty())
    facts += fmt::format(" {} plays as {}", fonts.dot, fmt::join(nodes, ", "));
  return facts;
}

constexpr std::string_view kConnected = "connected";
constexpr std::string_view kNotConnected = "not connected";

void draw_connection(const pairing::PeerNow& pc, const SeveralPcsState& state) {
  const auto words = connection_words(pc, state, LocalTime::clock::now());
  badge(words, words == kConnected      ? color::kGood
               : words == kNotConnected ? color::kFaint
                                        : color::kWarning);
}

struct RightsChoice {
  cluster::Rights rights;
  const char* label;
  const char* tip;
};
constexpr std::array kRightsChoices{
    RightsChoice{cluster::Rights::everything, "changes the show",
                 "It may do everything, and change the show."},
    RightsChoice{cluster::Rights::render, "plays layers",
                 "It plays its layers, and cannot change the show."},
    RightsChoice{cluster::Rights::watch, "only watches", "It sees the show, and changes nothing."}};

// Asks first if others are cut off by it.
void choose_rights(const pairing::PeerNow& pc, cluster::Rights rights, SeveralPcsState& state) {
  if (rights == pc.peer.rights) return;
  state.asked_pc = pc;
  state.asked_rights = rights;
  state.asked_others = state.pcs->nodes_without_identity;
  const bool cuts_off = rights != cluster::Rights::everything && !state.asked_others.empty();
  (cuts_off ? state.asked : state.wish) = SeveralPcsState::Wish::set_rights;
}

void draw_rights(const pairing::PeerNow& pc, SeveralPcsState& state, Panel& panel) {
  const auto& present = kRightsChoices.at(static_cast<std::size_t>(pc.peer.rights));
  const float padding = (panel.reach(kRemoveHeight) - ImGui::GetTextLineHeight()) / 2;
  ImGui::SetNextItemWidth(panel.reach(kRightsWidth));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      ImVec2(ImGui::GetStyle().FramePadding.x, padding));
  const bool is_open = ImGui::BeginCombo("##rights", present.label);
  ImGui::PopStyleVar();
  if (!is_open) return tooltip(present.tip);
  for (const auto& choice : kRightsChoices) {
    if (ImGui::Selectable(choice.label, choice.rights == pc.peer.rights))
      choose_rights(pc, choice.rights, state);
    tooltip(choice.tip);
  }
  ImGui::EndCombo();
}

void ask_to_remove(const pairing::PeerNow& pc, SeveralPcsState& state) {
  state.asked = SeveralPcsState::Wish::remove_pc;
  state.asked_pc = pc;
  state.asked_others = state.pcs->nodes_without_identity;
}

void draw_pc(const pairing::PeerNow& pc, bool may_change, SeveralPcsState& state, Panel& panel) {
  const float button = panel.reach(kRemoveWidth);
  const float choice = panel.reach(kRightsWidth) + panel.px(8);
  const float right = ImGui::GetWindowContentRegionMax().x;
  const float top = ImGui::GetCursorPosY();
  const float words =
      right - (may_change ? button + choice : 0) - ImGui::GetCursorPosX() - panel.px(12);
  ImGui::BeginGroup();
  ImGui::PushFont(panel.fonts.strong);
  text_cut(pc.peer.name, words - panel.px(kBadgeWidth));
  ImGui::PopFont();
  ImGui::SameLine();
  draw_connection(pc, state);
  text_cut(facts_of(pc, panel.fonts), words, color::kDim);
  ImGui::EndGroup();
  if (!may_change) return;
  ImGui::SetCursorPos(ImVec2(right - button - choice, top + panel.px(3)));
  draw_rights(pc, state, panel);
  ImGui::SetCursorPos(ImVec2(right - button, top + panel.px(3)));
  if (ImGui::Button("Shut out …", ImVec2(button, panel.reach(kRemoveHeight))))
    ask_to_remove(pc, state);
}

void draw_rows(SeveralPcsState& state, bool may_change, Panel& panel) {
  const auto most = has_short_bars(panel) ? kRowsShownInLowWindow : kRowsShown;
  const auto rows = static_cast<float>(std::min(state.pcs->peers.size(), most));
  const float frame = 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::BeginChild("pcs", ImVec2(0, rows * panel.reach(kRowHeight) - panel.px(kBelowRow) + frame),
                    true, ImGuiWindowFlags_AlwaysUseWindowPadding);
  float top = ImGui::GetCursorPosY();
  for (const auto& pc : state.pcs->peers) {
    ImGui::SetCursorPosY(top);
    top += panel.reach(kRowHeight);
    ImGui::PushID(pc.peer.name.c_str());
    draw_pc(pc, may_change, state, panel);
    ImGui::PopID();
  }
  ImGui::EndChild();
}

std::string title_of(const SeveralPcsState& state) {
  const auto count = state.pcs ? state.pcs->peers.size() : 0;
  if (count == 0) return "PCs that have joined";
  return fmt::format("{} that {} joined", count == 1 ? "1 PC" : fmt::format("{} PCs", count),
                     count == 1 ? "has" : "have");
}

}  // namespace

bool may_play(const std::string& own, const model::ClusterView& view) {
  if (!view.is_limited) return true;
  const auto* node = view.find_node(own);
  return node != nullptr && node->health == model::Health::healthy;
}

std::string_view connection_words(const pairing::PeerNow& pc, const SeveralPcsState& state,
                                  LocalTime now) {
  constexpr std::chrono::seconds kUntilAgain{10};  // its programs try again each few seconds
  if (!state.pcs || !state.pcs->is_served) return "not known";
  if (!pc.programs.empty()) return kConnected;
  const bool is_changing =
      pc.peer.key == state.changed_pc && now < state.rights_changed + kUntilAgain;
  return is_changing ? "its rights change" : kNotConnected;
}

bool plays_in_show(const std::string& node, const model::ClusterView& view) {
  return std::ranges::find(view.submixes, node, &model::SubmixView::node) != view.submixes.end();
}

std::string rights_words(const SeveralPcsState& state) {
  return fmt::format(
      "While {} may not do everything, these are cut off, because they did not join by a code: {}.",
      state.asked_pc.peer.name, fmt::join(state.asked_others, ", "));
}

std::string removal_words(const SeveralPcsState& state, const model::ClusterView& view) {
  auto words = fmt::format(
      "{} will be shut out; the others go on without a lost frame. It needs a new code to come "
      "back.",
      state.asked_pc.peer.name);
  const auto nodes = pairing::nodes_of(state.asked_pc);
  if (std::ranges::any_of(nodes, [&](const auto& node) { return plays_in_show(node, view); }))
    words += " It plays in the show: its pictures will be missing.";
  if (!state.asked_others.empty())
    words += fmt::format(" Shut out, too, because they did not join by a code: {}.",
                         fmt::join(state.asked_others, ", "));
  return words;
}

void draw_pc_list(SeveralPcsState& state, bool may_change, Panel& panel) {
  text_in(panel.fonts.strong, title_of(state));
  if (!state.pcs_error.empty()) return text_wrapped(state.pcs_error, color::kBad);
  if (!state.pcs) return text("Looking …", color::kDim);
  if (state.pcs->peers.empty()) return text("None yet.", color::kDim);
  if (state.is_removing)
    text(fmt::format("Shutting {} out …", state.asked_pc.peer.name), color::kWarning);
  else if (state.pcs->is_unfinished)
    text_wrapped("A PC was being shut out when it was interrupted. This is finished now.",
                 color::kWarning);
  draw_rows(state, may_change, panel);
  if (panel.state.is_performing)
    text_wrapped("In the perform mode nobody can be shut out.", color::kDim);
}

}  // namespace submix::ui
