// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/top_bar.hpp"

#include "controller/model/edit/outputs.hpp"
#include "controller/model/verdict/verdict.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/icon.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/tour_state.hpp"
#include "controller/ui/edits/full_screen.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/pages/navigation.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/path_boxes.hpp"
#include "controller/ui/pages/recorded_panel.hpp"
#include "controller/ui/pages/stage_words.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/show_menu.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

bool colored_button(const char* label, ImU32 back, ImU32 front, ImVec2 size) {
  ImGui::PushStyleColor(ImGuiCol_Button, back);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, with_alpha(back, 0.85F));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, with_alpha(back, 0.7F));
  ImGui::PushStyleColor(ImGuiCol_Text, front);
  const bool is_pressed = ImGui::Button(label, size);
  ImGui::PopStyleColor(4);
  return is_pressed;
}

/// Of a button with an icon.
struct IconWords {
  Icon icon;
  const char* id;
  std::string_view words;
};

bool icon_button(const IconWords& label, ImU32 back, ImU32 front, ImVec2 size) {
  const bool is_pressed = colored_button(label.id, back, front, size);
  label_with_icon(label.icon, label.words, front);
  return is_pressed;
}

/// Of the longest recording.
struct Recorded {
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;
  std::uint64_t disk_free_bytes = 0;  // 0: not known
  std::string_view trouble;           // of any recorder; empty: all record
};

Recorded recorded(const model::ClusterView& view) {
  Recorded longest;
  for (const auto& submix : view.submixes) {
    for (const auto& stage : submix.stages) {
      if (stage.plugin != model::kRecordPlugin) continue;
      if (!stage.trouble.empty()) longest.trouble = stage.trouble;
      Recorded each{.trouble = longest.trouble};
      for (const auto& [name, count] : stage.counters) {
        if (name == "film_frames") each.frames = count;
        if (name == "recorded_bytes") each.bytes = count;
        if (name == "disk_free_bytes") each.disk_free_bytes = count;
      }
      if (each.frames >= longest.frames) longest = each;
    }
  }
  return longest;
}

// "2:05"
std::string time_text(std::uint64_t frames, const show::Show& show) {
  const auto seconds =
      static_cast<int>(static_cast<double>(frames) / show.rate.frames_per_second());
  return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::string words_of_rec(const model::ClusterView& view) {
  std::string words("Record the mix to a file of its PC (Ctrl+R)");
  if (view.recorded.empty()) return words;
  const auto& newest = view.recorded.front();
  return words +
         fmt::format("\nThe newest: {} on {}\nA right click copies its path or opens its folder",
                     newest.path, newest.node);
}

// Red promises that the film grows.
void draw_recording(const Recorded& now, ImVec2 size, Panel& panel) {
  const bool is_well = now.trouble.empty();
  const auto label = is_well ? fmt::format("REC {}###rec", time_text(now.frames, *panel.view.show))
                             : std::string("REC !###rec");
  const ImU32 back = is_well ? color::kBad : color::kWarning;
  if (colored_button(label.c_str(), back, color::kOnBright, size)) record_outputs(false, panel);
  draw_recorded_menu(panel);
  if (!is_well) return tip("{}\nStop recording (Ctrl+R)", now.trouble);
  tip("Stop recording (Ctrl+R): {} written{}", bytes_text(now.bytes),
      now.disk_free_bytes == 0
          ? std::string()
          : fmt::format(", {} free on its disk", bytes_text(now.disk_free_bytes)));
}

constexpr float kDotAlpha = 0.8F;

// The sign of a recorder, left of the word of the last button. Paler than what is bad, which it is
// not.
void draw_dot(const Panel& panel) {
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  const ImVec2 center(std::round(low.x + panel.px(16)), std::round((low.y + high.y) / 2));
  auto* draw = ImGui::GetWindowDrawList();
  const auto flags = draw->Flags;
  draw->Flags |= ImDrawListFlags_AntiAliasedFill;
  draw->AddCircleFilled(center, panel.px(5), with_alpha(color::kBad, kDotAlpha), 16);
  draw->Flags = flags;
}

void draw_rec(Panel& panel, float height) {
  const ImVec2 size(panel.px(84), height);
  if (model::is_recording(*panel.view.show))
    return draw_recording(recorded(panel.view), size, panel);
  const bool is_pressed = colored_button("REC###rec", color::kTrack, color::kText, size);
  draw_dot(panel);
  draw_recorded_menu(panel);
  if (is_pressed) record_outputs(true, panel);
  tooltip_of([&] { return words_of_rec(panel.view); });
}

// They act on the outputs at once, whatever hangs behind them.
void draw_outputs(Panel& panel, float height) {
  const auto& transport = panel.view.transport;
  const auto button = [&](const char* label, float width, bool is_on, ImU32 on_color) {
    return colored_button(label, is_on ? on_color : color::kTrack,
                          is_on ? color::kOnBright : color::kText, ImVec2(width, height));
  };
  if (button("BLACK-OUT", panel.px(104), transport.is_black, color::kBad))
    panel.actions.push_back(session::SetBlack{!transport.is_black});
  draw_learn_popup(input::TransportTarget::black, panel);
  panel.state.tour->mark_last_item(TourMark::black_out);
  tooltip(transport.is_black ? "All outputs are black: light again (Ctrl+.)"
                             : "All outputs black at once; the show runs on (Ctrl+.)");
  ImGui::SameLine(0, panel.px(6));
  if (button("FREEZE", panel.px(80), transport.is_frozen, color::kWarning))
    panel.actions.push_back(session::SetFrozen{!transport.is_frozen});
  draw_learn_popup(input::TransportTarget::freeze, panel);
  tooltip(transport.is_frozen ? "All outputs hold a picture: let them move (Ctrl+F)"
                              : "All outputs hold their picture; the show runs on (Ctrl+F)");
  if (panel.view.show == nullptr) return;
  ImGui::SameLine(0, panel.px(6));
  const bool is_full = is_any_full_screen(panel);
  const bool is_small = is_small_window(panel);
  if (icon_button({Icon::full_screen, "###full", is_small ? "FULL" : "FULL SCREEN"},
                  is_full ? color::kAccent : color::kTrack,
                  is_full ? color::kOnBright : color::kText,
                  ImVec2(panel.px(is_small ? 58 : 110), height)))
    switch_full_screen(panel);
  draw_learn_popup(input::TransportTarget::fullscreen, panel);
  tooltip(is_full ? "The outputs back into windows (F11)" : "Each output covers its screen (F11)");
  ImGui::SameLine(0, panel.px(6));
  draw_rec(panel, height);
}

void draw_transport(Panel& panel, float height) {
  const bool is_paused = panel.view.transport.is_paused;
  const ImVec2 wide(panel.px(84), height);
  if (is_paused) {
    if (icon_button({Icon::play, "###resume", "RESUME"}, color::kWarning, color::kOnBright, wide)) {
      panel.actions.push_back(session::SetPaused{false});
    }
  } else if (icon_button({Icon::pause, "###pause", "PAUSE"}, color::kTrack, color::kText, wide)) {
    panel.actions.push_back(session::SetPaused{true});
  }
  tooltip(is_paused ? "Run on from this frame (Ctrl+Space)"
                    : "Stop the whole show at this frame (Ctrl+Space)");
  if (is_small_window(panel) || (!is_paused && is_narrow(ImGui::GetWindowWidth(), panel))) return;
  ImGui::SameLine(0, panel.px(6));
  const ImU32 back = is_paused ? color::kTrack : color::kPanel;
  const ImU32 front = is_paused ? color::kText : color::kFaint;
  ImGui::PushButtonRepeat(true);
  if (icon_button({Icon::step, "###step", "STEP"}, back, front, ImVec2(panel.px(56), height)) &&
      is_paused) {
    panel.actions.push_back(session::Step{});
  }
  ImGui::PopButtonRepeat();
  tooltip(is_paused ? "Render exactly one frame (Ctrl+Shift+Space); hold it to go on stepping"
                    : "One frame at a time, while paused");
}

void draw_history(Panel& panel, float height) {
  const auto& edit = panel.view.edit;
  const auto button = [&](const IconWords& label, const std::string& title, const char* keys) {
    const ImU32 front = title.empty() ? color::kFaint : color::kText;
    const bool is_pressed = icon_button(label, color::kPanel, front, ImVec2(panel.px(56), height));
    tip("{} ({})", title.empty() ? std::string_view("Nothing to do") : title, keys);
    return is_pressed && !title.empty();
  };
  if (button({Icon::undo, "###undo", "Undo"}, edit.undo_title, "Ctrl+Z"))
    panel.actions.push_back(session::Undo{});
  ImGui::SameLine(0, panel.px(4));
  if (button({Icon::redo, "###redo", "Redo"}, edit.redo_title, "Ctrl+Y"))
    panel.actions.push_back(session::Redo{});
}

// "29.9 / 30 fps", large. Returns its left edge. The text below says why the rate may not move.
float draw_master_rate(Panel& panel, float right, bool is_beginning) {
  const auto& view = panel.view;
  if (view.show == nullptr) return right;
  const double target = view.show->rate.frames_per_second();
  const bool is_slow = view.bottleneck != nullptr && view.bottleneck->is_behind && !is_beginning;
  const auto figure = rate_text(view.master_fps);
  const bool has_unit = !is_narrow(ImGui::GetWindowWidth(), panel);
  const auto unit = has_unit ? fmt::format(" / {:.4g} fps", target) : std::string();
  ImGui::PushFont(panel.fonts.large);
  const float figure_width = width_of(figure);
  ImGui::PopFont();
  const float unit_width = width_of(unit);
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosX(right - figure_width - unit_width);
  text_in(panel.fonts.large, figure, is_slow ? color::kWarning : color::kText);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosY(y + panel.px(8));
  text(unit, color::kDim);
  return right - figure_width - unit_width;
}

// One line below the rate. A click opens the page with the details.
void draw_verdict(Panel& panel, ImVec2 corner, float width, bool is_beginning) {
  const auto& verdict = panel.view.bottleneck;
  if (panel.view.show == nullptr || verdict == nullptr) return;
  const auto words = is_beginning ? "starting" : words_of_page(model::headline_of(*verdict), panel);
  const bool is_calm = verdict->kind != model::Bottleneck::Kind::nothing || verdict->held.empty();
  const ImU32 tint = is_beginning ? color::kDim
                     : is_calm    ? color_of(verdict->kind)
                                  : color::kWarning;
  ImGui::PushFont(panel.fonts.small);
  const float room = std::min(width, badge_width(words));
  ImGui::SetCursorPos(ImVec2(corner.x + width - room, corner.y));
  if (ImGui::InvisibleButton("verdict", ImVec2(room, ImGui::GetTextLineHeight())))
    open_page(panel.state, {"holdup"});
  const bool is_hovered = ImGui::IsItemHovered();
  panel.state.tour->mark_last_item(TourMark::verdict);
  tooltip_of([&] { return words_of_page(verdict->sentence, panel); });
  const auto from = ImGui::GetItemRectMin();
  const auto to = ImGui::GetItemRectMax();
  const float mark = badge_width("");
  ImGui::SetCursorPos(ImVec2(corner.x + width - room, corner.y));
  badge("", tint);
  ImGui::SetCursorPos(ImVec2(corner.x + width - room + mark, corner.y));
  text_cut(words, room - mark + 1, tint);
  if (is_hovered) ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(from.x, to.y - 1), to, tint);
  ImGui::PopFont();
}

std::string state_words(const model::ClusterView& view) {
  if (view.connection == model::ConnectionState::connecting) return "looking for the server";
  if (view.connection == model::ConnectionState::lost) return "server lost";
  if (view.transport.is_paused) return "PAUSED";
  return view.is_read_only ? "read-only" : "connected";
}

ImU32 state_color(const model::ClusterView& view) {
  if (view.connection == model::ConnectionState::connecting) return color::kDim;
  if (view.connection == model::ConnectionState::lost) return color::kBad;
  return view.transport.is_paused ? color::kWarning : color::kGood;
}

/// Left ends of the bar's parts.
struct BarPlaces {
  float name_width = 0;
  float buttons = 0;
  float verdict = 0;
};

// The buttons are in the middle. In a narrow bar they stand right behind a short name. In a small
// window only the buttons of the outputs have room.
BarPlaces places_in(float width, const Panel& panel) {
  if (is_small_window(panel)) return {panel.px(88), panel.px(98), panel.px(456)};
  if (is_narrow(width, panel)) return {panel.px(136), panel.px(146), panel.px(776)};
  const float middle = width / 2;
  return {panel.px(330), middle - panel.px(338), middle + panel.px(348)};
}

// The rate and the connection, and below them what holds the show back.
void draw_status(float left, Panel& panel) {
  const bool is_small = is_small_window(panel);
  const float width = ImGui::GetWindowWidth();
  const float right = width - panel.px(is_small ? 8 : 14);
  const bool is_short = has_short_bars(panel);
  const float top = panel.px(is_short ? 0 : 5);
  const auto words = state_words(panel.view);
  const float state_left = right - badge_width(words);
  ImGui::SetCursorPos(ImVec2(state_left, top + panel.px(7)));
  badge(words, state_color(panel.view));
  tooltip(panel.view.connection_text);
  if (is_small && panel.view.transport.is_paused) return;  // RESUME stands there
  ImGui::SetCursorPos(ImVec2(0, top));
  const auto& verdict = panel.view.bottleneck;
  const bool is_beginning = verdict != nullptr && model::is_beginning(panel.view, *verdict);
  const float rate_left = draw_master_rate(
      panel, state_left - panel.px(is_narrow(width, panel) ? 12 : 28), is_beginning);
  draw_alert_badge(panel, ImVec2(rate_left - panel.px(is_small ? 6 : 14), top + panel.px(3)));
  draw_verdict(panel, ImVec2(left, top + panel.px(is_short ? 25 : 32)), right - left, is_beginning);
}

}  // namespace

void draw_top_bar(Panel& panel) {
  const bool is_small = is_small_window(panel);
  const float height = panel.reach(has_short_bars(panel) ? 34 : 36);
  const float top = std::round((ImGui::GetWindowHeight() - height) / 2);
  const auto places = places_in(ImGui::GetWindowWidth(), panel);
  ImGui::SetCursorPos(ImVec2(panel.px(6), top - panel.px(1)));
  draw_show_menu(places.name_width, panel);
  ImGui::SetCursorPos(ImVec2(places.buttons, top));
  draw_outputs(panel, height);
  // A slip of the hand must not stop all PCs.
  const bool is_paused = panel.view.transport.is_paused;
  if (is_paused || (!panel.state.is_performing && !is_small)) {
    ImGui::SameLine(0, panel.px(is_small ? 6 : 14));
    draw_transport(panel, height);
  }
  if (!is_small) {
    ImGui::SameLine(0, panel.px(10));
    draw_history(panel, height);
  }
  draw_status(places.verdict, panel);
}

}  // namespace submix::ui
