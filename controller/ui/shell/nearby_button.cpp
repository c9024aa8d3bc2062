// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/nearby_button.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/several_pcs_state.hpp"
#include "controller/ui/shell/several_pcs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace submix::ui {
namespace {

// The longest first: a bar may have room for the last one only.
std::array<std::string, 3> labels(const SeveralPcsState& state) {
  const auto count = state.nearby.size();
  const auto* const verb = is_desk(state) ? "Invite" : "Join";
  const auto* const thing = is_desk(state) ? "PC" : "desk";
  const auto who =
      count == 1 ? state.nearby.front().name : fmt::format("one of {} {}s nearby", count, thing);
  return {fmt::format("{} {} …", verb, who), fmt::format("{} a {} …", verb, thing),
          fmt::format("{} …", verb)};
}

std::string sentence(const SeveralPcsState& state) {
  const auto& pc = state.nearby.front();
  if (state.nearby.size() > 1)
    return is_desk(state) ? "PCs without a show wait to be invited by their codes."
                          : "Desks on this network can be joined by their codes.";
  if (is_desk(state))
    return fmt::format("{} has no show, and waits to be invited by its code.", pc.name);
  const auto told = to_text(pc.told);
  return fmt::format("{} is a desk nearby{}. It can be joined by its code.", pc.name,
                     told.empty() ? "" : fmt::format(" ({})", told));
}

void open_dialog(Panel& panel) {
  show_several_pcs(panel);
  panel.state.several_pcs->is_code_next = true;
}

}  // namespace

bool can_meet_nearby(const Panel& panel) {
  const auto& state = *panel.state.several_pcs;
  const bool may_meet = is_desk(state) || !panel.state.is_performing;
  return may_meet && !state.nearby.empty() && !panel.view.is_read_only;
}

bool is_nearby_new(const Panel& panel) {
  const auto& state = *panel.state.several_pcs;
  return can_meet_nearby(panel) && std::ranges::any_of(state.nearby, [&](const auto& pc) {
           return !state.seen_nearby.contains(pc.name);
         });
}

void draw_nearby_button(ImVec2 right_top, float width, Panel& panel) {
  if (!can_meet_nearby(panel)) return;
  const auto& state = *panel.state.several_pcs;
  const float frame = 2 * ImGui::GetStyle().FramePadding.x;
  const auto texts = labels(state);
  const auto label = std::ranges::find_if(
      texts, [&](const std::string& text) { return width_of(text) + frame <= width; });
  if (label == texts.end()) return;
  ImGui::SetCursorPos(ImVec2(right_top.x - width_of(*label) - frame, right_top.y));
  ImGui::PushStyleColor(ImGuiCol_Text, is_nearby_new(panel) ? color::kAccent : color::kDim);
  const bool is_pressed = small_button((*label + "###nearby").c_str(), panel);
  ImGui::PopStyleColor();
  if (ImGui::IsItemHovered()) tooltip(sentence(state));
  if (is_pressed) open_dialog(panel);
}

void draw_nearby_item(Panel& panel) {
  if (!can_meet_nearby(panel)) return;
  if (ImGui::MenuItem(labels(*panel.state.several_pcs)[0].c_str())) open_dialog(panel);
  ImGui::Separator();
}

void draw_nearby_invitation(Panel& panel) {
  if (!can_meet_nearby(panel)) return;
  const auto& state = *panel.state.several_pcs;
  const ImVec2 size(panel.px(280), panel.px(40));
  const auto texts = labels(state);
  const bool has_room = width_of(texts[0]) < size.x;
  const bool is_pressed = ImGui::Button((texts[has_room ? 0 : 1] + "###nearby").c_str(), size);
  text_wrapped(sentence(state), color::kDim);
  if (is_pressed) open_dialog(panel);
}

}  // namespace submix::ui
