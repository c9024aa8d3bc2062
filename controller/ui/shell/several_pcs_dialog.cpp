// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/address.hpp"
#include "common/show/text.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/local_nodes_state.hpp"
#include "controller/ui/shell/local_nodes.hpp"
#include "controller/ui/shell/perform_mode.hpp"
#include "controller/ui/shell/quit.hpp"
#include "controller/ui/shell/several_pcs.hpp"
#include "controller/ui/shell/several_pcs_list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <ranges>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

using Wish = SeveralPcsState::Wish;

constexpr float kDialogWidth = 720;
constexpr float kAddressWidth = 260;
constexpr float kLowAddressWidth = 200;  // in a low window address, code and button share a row
constexpr float kCodeScale = 2.2F;
constexpr float kNewsLines = 2;  // the older news is scrolled to
constexpr float kNewsLinesInLowWindow = 1;
// Of the list of what is nearby. A sentence may take two.
constexpr std::size_t kLinesMin = 2;
constexpr std::size_t kLinesMinInLowWindow = 1;
constexpr std::size_t kLinesMax = 4;

ImVec2 button_size(const Panel& panel) {
  return {panel.reach(220), panel.reach(34)};
}

void gap(const Panel& panel) {
  ImGui::Dummy(ImVec2(0, panel.px(8)));
}

// A PC that may not change the show may still leave it.
bool may_change_this_pc(const Panel& panel) {
  return !panel.view.is_read_only || panel.view.is_limited || !panel.view.gap_to_desk.empty();
}

bool may_wish(Wish wish, const Panel& panel) {
  const bool may_move = !panel.state.is_performing || is_for_another_pc(wish);
  return may_move && !panel.state.several_pcs->is_busy && may_change_this_pc(panel);
}

// Whether pictures stop when this window starts again.
bool carries_show(const Panel& panel) {
  const bool has_part = panel.state.quit->has_nats || panel.state.local_nodes->is_any_running();
  return has_part && std::ranges::find(panel.view.submixes, model::SubmixState::running,
                                       &model::SubmixView::state) != panel.view.submixes.end();
}

// What interrupts a show is asked first.
void request(Wish wish, Panel& panel) {
  auto& state = *panel.state.several_pcs;
  const bool interrupts = !is_for_another_pc(wish) && carries_show(panel);
  if (interrupts || wish == Wish::leave)
    state.asked = wish;
  else
    state.wish = wish;
}

// Nobody wishes anything while a wish is being carried out. In the perform mode a PC may come in,
// but this PC stays where it is.
void wish_button(const char* words, Wish wish, Panel& panel) {
  ImGui::BeginDisabled(!may_wish(wish, panel));
  if (ImGui::Button(words, button_size(panel))) request(wish, panel);
  ImGui::EndDisabled();
}

std::string what_follows(const SeveralPcsState& state, const Panel& panel) {
  if (state.asked == Wish::remove_pc) return removal_words(state, panel.view);
  if (state.asked == Wish::set_rights) return rights_words(state);
  if (state.asked != Wish::leave) return "The show of this PC is interrupted.";
  return state.membership && state.membership->is_own
             ? "Nobody can change the show until each other PC has joined again."
             : "This PC needs a new code to come back.";
}

// The first button, below the mouse, changes nothing: a double click does no harm.
void draw_question(SeveralPcsState& state, Panel& panel) {
  text_wrapped(what_follows(state, panel), color::kWarning);
  const bool restarts = state.asked != Wish::remove_pc && state.asked != Wish::set_rights;
  if (restarts && carries_show(panel))
    text_wrapped("What this PC plays stops now, and starts again if it is part of the next show.",
                 color::kWarning);
  if (ImGui::Button("Stay as it is", button_size(panel))) state.asked = Wish::none;
  ImGui::SameLine();
  ImGui::BeginDisabled(!may_wish(state.asked, panel));
  const bool removes = state.asked == Wish::remove_pc;
  if (ImGui::Button(removes ? "Shut it out" : "Go on", button_size(panel)))
    state.wish = std::exchange(state.asked, Wish::none);
  ImGui::EndDisabled();
}

/// What a person chooses and types to meet another PC.
struct MeetingWords {
  const char* title;
  const char* how;
  const char* none;    ///< in place of an empty list
  const char* shower;  ///< of address and code
  const char* press;
  const char* pressed;
  Wish wish;
};

constexpr MeetingWords kJoining{
    .title = "This PC plays for another PC",
    .how = "There, press \"Let other PCs join\". Here, choose that PC and type its code.",
    .none = "Looking for desks … A desk appears here while its window shows a code.",
    .shower = "desk",
    .press = "Join (Enter)",
    .pressed = "Joining …",
    .wish = Wish::join};
constexpr MeetingWords kInviting{
    .title = "Fetch a PC that has no show",
    .how = "submix-node on that PC shows a code. Here, choose the PC and type its code.",
    .none = "Looking for PCs without a show … One appears here while submix-node runs there.",
    .shower = "PC",
    .press = "Invite (Enter)",
    .pressed = "Inviting …",
    .wish = Wish::invite};

// Until it goes.
void note_as_seen(SeveralPcsState& state) {
  state.seen_nearby.clear();
  for (const auto& pc : state.nearby)
    state.seen_nearby.insert(pc.name);
}

void draw_nearby_list(SeveralPcsState& state, const MeetingWords& words, Panel& panel) {
  note_as_seen(state);
  const auto least = has_short_bars(panel) ? kLinesMinInLowWindow : kLinesMin;
  const auto lines = static_cast<float>(std::clamp(state.nearby.size(), least, kLinesMax));
  const float height =
      lines * ImGui::GetFrameHeightWithSpacing() + 2 * ImGui::GetStyle().WindowPadding.y;
  ImGui::BeginChild("nearby", ImVec2(0, height), true, ImGuiWindowFlags_AlwaysUseWindowPadding);
  for (const auto& pc : state.nearby) {
    ImGui::PushID(pc.name.c_str());
    const auto label =
        fmt::format("{}   {}   {}###pc", pc.name, pc.ends.front().host, to_text(pc.told));
    if (ImGui::Selectable(label.c_str(), chosen_pc(state) == &pc, 0,
                          ImVec2(0, panel.reach(ImGui::GetTextLineHeight() / panel.state.scale)))) {
      state.chosen = pc.name;
      state.address.clear();
    }
    ImGui::PopID();
  }
  if (state.nearby.empty()) {
    const bool is_found = state.search_error.empty();
    text_wrapped(is_found ? words.none
                          : fmt::format("This PC does not find others by itself. Type the address "
                                        "of the {}.",
                                        words.shower),
                 color::kDim);
    tooltip(state.search_error);
  }
  ImGui::EndChild();
}

void give_up_if_gone(SeveralPcsState& state) {
  const bool is_there =
      std::ranges::find(state.nearby, state.chosen, &pairing::NearbyPc::name) != state.nearby.end();
  if (!is_there) state.chosen.clear();
}

void draw_error(const SeveralPcsState& state) {
  if (!state.error.empty()) text_wrapped(state.error, color::kBad);
}

void draw_meeting(SeveralPcsState& state, const MeetingWords& words, Panel& panel) {
  text_in(panel.fonts.strong, words.title);
  text_wrapped(words.how, color::kDim);
  give_up_if_gone(state);
  draw_nearby_list(state, words, panel);
  const bool is_low = has_short_bars(panel);
  const float width = panel.px(is_low ? kLowAddressWidth : kAddressWidth);
  ImGui::SetNextItemWidth(width);
  if (ImGui::InputTextWithHint("##address", "or type its address", &state.address))
    state.chosen.clear();
  if (is_low) ImGui::SameLine();
  ImGui::SetNextItemWidth(width);
  if (std::exchange(state.is_code_next, false)) ImGui::SetKeyboardFocusHere();
  const bool is_entered = ImGui::InputTextWithHint(
      "##code", "code of six digits", &state.typed_code,
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (is_low) ImGui::SameLine();
  wish_button(state.is_busy ? words.pressed : words.press, words.wish, panel);
  if (is_entered && may_wish(words.wish, panel)) request(words.wish, panel);
  draw_error(state);
}

// Otherwise the dialog asks a question, or this PC plays for another one.
bool has_meeting(const SeveralPcsState& state) {
  if (state.is_desk_fixed || state.is_broken) return false;
  if (!state.membership) return state.asked == Wish::none;
  return is_desk(state) && state.asked != Wish::remove_pc && state.asked != Wish::set_rights;
}

void draw_choice(SeveralPcsState& state, Panel& panel) {
  text_in(panel.fonts.large, "One show of several PCs");
  if (panel.state.is_performing) text_wrapped(kStructureStays, color::kWarning);
  gap(panel);
  if (!has_meeting(state)) return draw_question(state, panel);
  text_in(panel.fonts.strong, "This PC mixes and shows");
  text_wrapped("It shows a code. On each other PC somebody types a code once.", color::kDim);
  wish_button("Let other PCs join", Wish::make_desk, panel);
  gap(panel);
  draw_meeting(state, kJoining, panel);
}

// Whether this PC plays layers, too, and under which name. While it plays one, it goes on.
void draw_own_part(Panel& panel) {
  auto& nodes = *panel.state.local_nodes;
  bool does_play = !nodes.own.empty();
  const bool is_needed = does_play && plays_in_show(nodes.own, panel.view);
  ImGui::BeginDisabled(panel.state.is_performing || !may_change_this_pc(panel) || is_needed);
  if (ImGui::Checkbox("This PC plays layers, as", &does_play))
    nodes.own = does_play ? usual_node_name() : "";
  ImGui::SameLine();
  auto& typed = panel.state.texts.try_emplace("own part", nodes.own).first->second;
  ImGui::SetNextItemWidth(panel.px(180));
  ImGui::BeginDisabled(!does_play);
  ImGui::InputText("##own part", &typed);
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    if (show::is_name(typed))
      nodes.own = typed;
    else
      nodes.own_error = fmt::format("that is no name: {}", show::kNameRule);
  }
  if (!ImGui::IsItemActive()) typed = nodes.own;
  ImGui::EndDisabled();
  ImGui::EndDisabled();
  if (is_needed)
    text_wrapped("It plays in the show. Move its layers to another PC first, then it can stop.",
                 color::kDim);
  if (!nodes.own_error.empty()) text_wrapped(nodes.own_error, color::kBad);
}

bool is_of_all_users(const cluster::Membership& membership) {
  return membership.key_file.parent_path() == cluster::kSystemMemberships;
}

void draw_leaving(SeveralPcsState& state, Panel& panel) {
  const auto& membership = *state.membership;
  if (is_of_all_users(membership)) {
    text_wrapped("All users of this PC belong to this desk: sudo submix leave --system",
                 color::kDim);
    return;
  }
  if (state.asked == Wish::leave) return draw_question(state, panel);
  wish_button(membership.is_own ? "Stop being the desk …" : "Leave this desk …", Wish::leave,
              panel);
}

// How a PC that does not find this one meets it.
std::string words_of_addresses(const SeveralPcsState& state) {
  const bool is_found = state.notice_error.empty();
  if (state.addresses.empty())
    return is_found ? "" : "Other PCs do not find this one, which has no address in a network.";
  return fmt::format("{} the address {}",
                     is_found ? "If that PC does not find this one, type"
                              : "Other PCs do not find this one by themselves: there, type",
                     fmt::join(state.addresses, " or "));
}

void draw_words_of_code(const SeveralPcsState& state) {
  const auto left =
      std::chrono::ceil<std::chrono::seconds>(state.code_ends - LocalTime::clock::now());
  const auto seconds = std::max<std::int64_t>(0, left.count());
  text(fmt::format("Good for one PC, and for {}:{:02} more.", seconds / 60, seconds % 60));
  text_wrapped("There, open Submix, then the show's menu, \"Several PCs\". Or type: submix join",
               color::kDim);
  const auto addresses = words_of_addresses(state);
  if (addresses.empty()) return;
  text_wrapped(addresses, state.notice_error.empty() ? color::kDim : color::kWarning);
  tooltip(state.notice_error);
}

// In a low window the words stand beside the code.
void draw_offered_code(const SeveralPcsState& state, Panel& panel) {
  ImGui::PushFont(panel.fonts.large);
  ImGui::SetWindowFontScale(kCodeScale);
  text(state.code, color::kAccent);
  ImGui::SetWindowFontScale(1);
  ImGui::PopFont();
  if (has_short_bars(panel)) ImGui::SameLine(0, panel.px(16));
  ImGui::BeginGroup();
  draw_words_of_code(state);
  ImGui::EndGroup();
}

// A used code leaves its room: what stands below it must not move under somebody's hand.
void draw_code(SeveralPcsState& state, Panel& panel) {
  const float top = ImGui::GetCursorPosY();
  if (!state.code.empty()) draw_offered_code(state, panel);
  wish_button(state.code.empty() ? "Show a code" : "Another code", Wish::offer_code, panel);
  const float height = ImGui::GetCursorPosY() - top;
  if (!state.code.empty()) state.code_height = height;
  if (height < state.code_height) ImGui::Dummy(ImVec2(0, state.code_height - height));
}

// Its room stays free while there is none: nothing below it moves when news comes.
void draw_news(const SeveralPcsState& state, const Panel& panel) {
  constexpr auto kNoGround = ImGuiWindowFlags_NoBackground;
  const float lines = has_short_bars(panel) ? kNewsLinesInLowWindow : kNewsLines;
  ImGui::BeginChild("news", ImVec2(0, lines * ImGui::GetTextLineHeightWithSpacing()), false,
                    state.news.empty() ? kNoGround : ImGuiWindowFlags_None);
  for (const auto& news : std::views::reverse(state.news))
    text_wrapped(news);
  ImGui::EndChild();
}

void draw_desk(SeveralPcsState& state, Panel& panel) {
  text_in(panel.fonts.large, fmt::format("{} is the desk", state.membership->desk));
  draw_code(state, panel);
  draw_news(state, panel);
  if (!has_meeting(state)) return draw_question(state, panel);
  draw_meeting(state, kInviting, panel);
  gap(panel);
  draw_pc_list(state, may_wish(Wish::remove_pc, panel), panel);
}

void draw_member(const SeveralPcsState& state, Panel& panel) {
  const auto& urls = state.membership->nats_url;
  text_in(panel.fonts.large, fmt::format("This PC plays for {} ({})", state.membership->desk,
                                         cluster::host_of(urls.substr(0, urls.find(',')))));
  const bool is_connected = panel.view.connection == model::ConnectionState::connected;
  badge(is_connected ? "connected" : "out of reach; trying again and again",
        is_connected ? color::kGood : color::kWarning);
  if (panel.view.is_limited)
    text_wrapped(fmt::format("This PC may not change the show. {} decides that, in this dialog.",
                             state.membership->desk),
                 color::kWarning);
  text_wrapped(fmt::format("Who belongs to this show is listed on {}, in this dialog. There, a PC "
                           "can be shut out.",
                           state.membership->desk),
               color::kDim);
}

void draw_content(SeveralPcsState& state, Panel& panel) {
  if (state.is_desk_fixed) {
    text_in(panel.fonts.large, "One show of several PCs");
    text(
        "This window was started for one server, by --nats or --key.\nTo join PCs by a code, start "
        "it without either.");
    return;
  }
  if (state.is_broken) {
    text_in(panel.fonts.large, "What this PC knows of its desk cannot be read");
    wish_button("Forget the desk", Wish::leave, panel);
    if (state.asked != Wish::none) draw_question(state, panel);
    return;
  }
  if (!state.membership) return draw_choice(state, panel);
  if (state.membership->is_own)
    draw_desk(state, panel);
  else
    draw_member(state, panel);
  gap(panel);
  if (may_play(panel.state.local_nodes->own, panel.view)) {
    draw_own_part(panel);
    gap(panel);
  }
  draw_leaving(state, panel);
}

// Of the button that stops being the desk, in a low window.
bool is_close_beside(const SeveralPcsState& state, const Panel& panel) {
  return has_short_bars(panel) && state.membership && !is_of_all_users(*state.membership) &&
         has_meeting(state) && state.asked == Wish::none;
}

}  // namespace

void show_several_pcs(Panel& panel) {
  panel.state.several_pcs->open();
}

void draw_several_pcs(Panel& panel) {
  auto& state = *panel.state.several_pcs;
  if (!state.is_open) return;
  begin_dialog("several pcs", kDialogWidth, panel, DialogPlace::top);
  draw_content(state, panel);
  if (!has_meeting(state)) draw_error(state);
  if (is_close_beside(state, panel))
    ImGui::SameLine();
  else
    gap(panel);
  if (ImGui::Button("Close (Esc)", ImVec2(panel.reach(150), panel.reach(32))))
    state.is_open = false;
  end_dialog();
}

}  // namespace submix::ui
