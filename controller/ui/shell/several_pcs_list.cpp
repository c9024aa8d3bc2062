// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/several_pcs_list.hpp"

#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace submix::ui {
namespace {

constexpr std::size_t kRowsShown = 4;  // the others are scrolled to
constexpr float kRowHeight = 50;
constexpr float kBelowRow = 10;  // of its height
constexpr float kRemoveWidth = 110;
constexpr float kRemoveHeight = 30;
constexpr float kBadgeWidth = 130;

// "198.18.0.2 · joined 2026-11-28 14:03 · plays as left".
std::string facts_of(const pairing::PeerNow& pc, const Fonts& fonts) {
  auto facts = fmt::format("{} {} joined {}", pc.peer.address, fonts.dot, joined_text(pc.peer));
  const auto nodes = pairing::nodes_of(pc);
  if (!nodes.empty()) facts += fmt::format(" {} plays as {}", fonts.dot, fmt::join(nodes, ", "));
  return facts;
}

void draw_connection(const pairing::PeerNow& pc, bool is_known) {
  if (!is_known) return badge("not known", color::kWarning);
  if (pc.programs.empty()) return badge("not connected", color::kFaint);
  badge("connected", color::kGood);
}

// Whether its button is pressed.
bool draw_pc(const pairing::PeerNow& pc, bool is_known, bool may_remove, Panel& panel) {
  const float button = panel.reach(kRemoveWidth);
  const float right = ImGui::GetWindowContentRegionMax().x;
  const float top = ImGui::GetCursorPosY();
  const float words = right - (may_remove ? button : 0) - ImGui::GetCursorPosX() - panel.px(12);
  ImGui::BeginGroup();
  ImGui::PushFont(panel.fonts.strong);
  text_cut(pc.peer.name, words - panel.px(kBadgeWidth));
  ImGui::PopFont();
  ImGui::SameLine();
  draw_connection(pc, is_known);
  text_cut(facts_of(pc, panel.fonts), words, color::kDim);
  ImGui::EndGroup();
  bool is_pressed = false;
  if (may_remove) {
    ImGui::SetCursorPos(ImVec2(right - button, top + panel.px(3)));
    is_pressed = ImGui::Button("Shut out …", ImVec2(button, panel.reach(kRemoveHeight)));
  }
  return is_pressed;
}

void draw_rows(SeveralPcsState& state, bool may_remove, Panel& panel) {
  const auto rows = static_cast<float>(std::min(state.pcs->peers.size(), kRowsShown));
  const float frame = 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::BeginChild("pcs", ImVec2(0, rows * panel.reach(kRowHeight) - panel.px(kBelowRow) + frame),
                    true, ImGuiWindowFlags_AlwaysUseWindowPadding);
  float top = ImGui::GetCursorPosY();
  for (const auto& pc : state.pcs->peers) {
    ImGui::SetCursorPosY(top);
    top += panel.reach(kRowHeight);
    ImGui::PushID(pc.peer.name.c_str());
    if (draw_pc(pc, state.pcs->is_served, may_remove, panel)) {
      state.asked = SeveralPcsState::Wish::remove_pc;
      state.asked_pc = pc;
      state.asked_others = state.pcs->nodes_without_identity;
    }
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

bool plays_in_show(const std::string& node, const model::ClusterView& view) {
  return std::ranges::find(view.submixes, node, &model::SubmixView::node) != view.submixes.end();
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

void draw_pc_list(SeveralPcsState& state, bool may_remove, Panel& panel) {
  text_in(panel.fonts.strong, title_of(state));
  if (!state.pcs_error.empty()) return text_wrapped(state.pcs_error, color::kBad);
  if (!state.pcs) return text("Looking …", color::kDim);
  if (state.pcs->peers.empty()) return text("None yet.", color::kDim);
  if (state.is_removing)
    text(fmt::format("Shutting {} out …", state.asked_pc.peer.name), color::kWarning);
  else if (state.pcs->is_unfinished)
    text_wrapped("A PC was being shut out when it was interrupted. This is finished now.",
                 color::kWarning);
  draw_rows(state, may_remove, panel);
  if (panel.state.is_performing)
    text_wrapped("In the perform mode nobody can be shut out.", color::kDim);
}

}  // namespace submix::ui
