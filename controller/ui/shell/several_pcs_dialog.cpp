// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/show/text.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/shell/local_nodes.hpp"
#include "controller/ui/shell/local_nodes_state.hpp"
#include "controller/ui/shell/perform_mode.hpp"
#include "controller/ui/shell/several_pcs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace submix::ui {
namespace {

using Wish = SeveralPcsState::Wish;

constexpr float kWidth = 720;
constexpr float kFieldWidth = 260;
constexpr float kCodeScale = 2.2F;
constexpr float kDesksHeight = 110;

ImVec2 button_size(const Panel& panel) {
  return {panel.reach(220), panel.reach(34)};
}

void gap(const Panel& panel) {
  ImGui::Dummy(ImVec2(0, panel.px(8)));
}

// Nobody wishes anything while a wish is being carried out, or in the perform mode.
bool wish_button(const char* words, Wish wish, Panel& panel) {
  auto& state = *panel.state.several_pcs;
  ImGui::BeginDisabled(state.is_busy || panel.state.is_performing);
  const bool is_pressed = ImGui::Button(words, button_size(panel));
  ImGui::EndDisabled();
  if (is_pressed) state.wish = wish;
  return is_pressed;
}

// What runs on this PC stops for a moment when it gets another desk.
void draw_warning(Panel& panel) {
  if (panel.state.is_performing) return text(kStructureStays, color::kWarning);
  if (panel.state.local_nodes->are_started)
    text("What this window plays stops for some seconds: do it before the show.", color::kWarning);
}

void draw_desk_list(SeveralPcsState& state, Panel& panel) {
  ImGui::BeginChild("desks", ImVec2(0, panel.px(kDesksHeight)), true,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  for (const auto& desk : state.desks) {
    const auto label = fmt::format("{}   {}", desk.name, desk.ends.front().host);
    if (ImGui::Selectable(label.c_str(), state.chosen == desk.name, 0,
                          ImVec2(0, panel.reach(ImGui::GetTextLineHeight() / panel.state.scale)))) {
      state.chosen = desk.name;
      state.address.clear();
    }
  }
  if (state.desks.empty()) {
    ImGui::PushTextWrapPos(0);
    text(state.search_error.empty()
             ? "Looking for desks … A desk appears here while its window shows a code."
             : state.search_error + ". Type the address that the desk shows.",
         color::kDim);
    ImGui::PopTextWrapPos();
  }
  ImGui::EndChild();
}

// A desk that was chosen and is gone is no choice any more; the only one there is one.
void choose_desk(SeveralPcsState& state) {
  const bool is_there =
      std::ranges::find(state.desks, state.chosen, &pairing::NearbyDesk::name) != state.desks.end();
  if (!is_there) state.chosen.clear();
  if (state.chosen.empty() && state.address.empty() && state.desks.size() == 1)
    state.chosen = state.desks.front().name;
}

void draw_joining(SeveralPcsState& state, Panel& panel) {
  text_in(panel.fonts.strong, "This PC plays for another PC");
  text("There, press \"Let other PCs join\". Here, choose that PC and type its code.", color::kDim);
  choose_desk(state);
  draw_desk_list(state, panel);
  ImGui::SetNextItemWidth(panel.px(kFieldWidth));
  if (ImGui::InputTextWithHint("##address", "or type its address", &state.address))
    state.chosen.clear();
  ImGui::SetNextItemWidth(panel.px(kFieldWidth));
  const bool is_entered = ImGui::InputTextWithHint(
      "##code", "code of six digits", &state.typed_code, ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine();
  const bool may_join = !state.is_busy && !panel.state.is_performing;
  if (wish_button(state.is_busy ? "Joining …" : "Join (Enter)", Wish::join, panel) ||
      (is_entered && may_join))
    state.wish = Wish::join;
}

void draw_choice(SeveralPcsState& state, Panel& panel) {
  text_in(panel.fonts.large, "One show of several PCs");
  draw_warning(panel);
  gap(panel);
  text_in(panel.fonts.strong, "This PC mixes and shows");
  text("It shows a code. On each other PC somebody types a code once.", color::kDim);
  wish_button("Let other PCs join", Wish::make_desk, panel);
  gap(panel);
  draw_joining(state, panel);
}

// Whether this PC plays layers, too, and under which name.
void draw_own_part(Panel& panel) {
  auto& nodes = *panel.state.local_nodes;
  bool plays = !nodes.own.empty();
  ImGui::BeginDisabled(panel.state.is_performing);
  if (ImGui::Checkbox("This PC plays layers, as", &plays))
    nodes.own = plays ? usual_node_name() : "";
  ImGui::SameLine();
  auto& typed = panel.state.texts.try_emplace("own part", nodes.own).first->second;
  ImGui::SetNextItemWidth(panel.px(180));
  ImGui::BeginDisabled(!plays);
  ImGui::InputText("##own part", &typed);
  if (!ImGui::IsItemActive()) {
    if (plays && show::is_name(typed)) nodes.own = typed;
    typed = nodes.own;
  }
  ImGui::EndDisabled();
  ImGui::EndDisabled();
  tooltip(show::kNameRule);
  if (!nodes.own_error.empty()) text(nodes.own_error, color::kBad);
}

void draw_leaving(SeveralPcsState& state, Panel& panel) {
  const auto& membership = *state.membership;
  if (membership.key_file.parent_path() == cluster::kSystemMemberships) {
    text("All users of this PC belong to this desk: sudo submix leave --system", color::kDim);
    return;
  }
  if (!state.is_leaving_asked) {
    if (ImGui::Button(membership.is_own ? "Stop being the desk …" : "Leave this desk …"))
      state.is_leaving_asked = true;
    return;
  }
  text(membership.is_own ? "Every other PC must join again afterwards."
                         : "This PC needs a new code to come back.",
       color::kWarning);
  draw_warning(panel);
  // First, below the mouse: a double click leaves nothing.
  if (ImGui::Button("Stay", button_size(panel))) state.is_leaving_asked = false;
  ImGui::SameLine();
  if (wish_button("Leave", Wish::leave, panel)) state.is_leaving_asked = false;
}

void draw_code(SeveralPcsState& state, Panel& panel) {
  if (state.code.empty()) {
    wish_button("Show a code", Wish::offer_code, panel);
    return;
  }
  ImGui::PushFont(panel.fonts.large);
  ImGui::SetWindowFontScale(kCodeScale);
  text(state.code, color::kAccent);
  ImGui::SetWindowFontScale(1);
  ImGui::PopFont();
  const auto left =
      std::chrono::ceil<std::chrono::seconds>(state.code_ends - LocalTime::clock::now());
  const auto seconds = std::max<std::int64_t>(0, left.count());
  text(fmt::format("Good for one PC, and for {}:{:02} more.", seconds / 60, seconds % 60));
  text("There, open Submix, then the show's menu, \"Several PCs\". Or type: submix join",
       color::kDim);
  if (!state.addresses.empty())
    text(fmt::format("If that PC does not find this one, type the address {}",
                     fmt::join(state.addresses, " or ")),
         color::kDim);
  if (!state.notice_error.empty()) {
    ImGui::PushTextWrapPos(0);
    text(fmt::format("Other PCs do not find this one by themselves: {}.", state.notice_error),
         color::kWarning);
    ImGui::PopTextWrapPos();
  }
}

void draw_desk(SeveralPcsState& state, Panel& panel) {
  text_in(panel.fonts.large, fmt::format("{} is the desk", state.membership->desk));
  draw_code(state, panel);
  for (const auto& news : state.news)
    text(news);
  if (!state.code.empty()) wish_button("Another code", Wish::offer_code, panel);
}

void draw_member(const SeveralPcsState& state, Panel& panel) {
  text_in(panel.fonts.large, fmt::format("This PC plays for {}", state.membership->desk));
  const bool is_connected = panel.view.connection == model::ConnectionState::connected;
  badge(is_connected ? "connected" : "out of reach; trying again and again",
        is_connected ? color::kGood : color::kWarning);
}

void draw_content(SeveralPcsState& state, Panel& panel) {
  if (state.is_desk_fixed) {
    text_in(panel.fonts.large, "One show of several PCs");
    text(
        "This window was started for one server, by --nats or --key.\nTo join PCs by a code, start "
        "it without both.");
    return;
  }
  if (!state.membership) return draw_choice(state, panel);
  if (state.membership->is_own)
    draw_desk(state, panel);
  else
    draw_member(state, panel);
  gap(panel);
  draw_own_part(panel);
  gap(panel);
  draw_leaving(state, panel);
}

}  // namespace

void show_several_pcs(Panel& panel) {
  panel.state.several_pcs->is_open = true;
}

void draw_several_pcs(Panel& panel) {
  auto& state = *panel.state.several_pcs;
  if (!state.is_open) return;
  begin_dialog("several pcs", kWidth, panel);
  draw_content(state, panel);
  if (!state.error.empty()) {
    ImGui::PushTextWrapPos(0);
    text(state.error, color::kBad);
    ImGui::PopTextWrapPos();
  }
  gap(panel);
  if (ImGui::Button("Close (Esc)", ImVec2(panel.reach(150), panel.reach(32))))
    state.is_open = false;
  end_dialog();
}

}  // namespace submix::ui
