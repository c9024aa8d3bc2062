// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/notices.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/recorded_note.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/outputs_panel.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/stage_words.hpp"

#include <imgui_internal.h>

#include <chrono>
#include <string>

namespace submix::ui {
namespace {

constexpr std::chrono::seconds kNoticeTime{7};
constexpr float kNoticeWidth = 0.6F;          // of the window's width
constexpr std::size_t kNoticeBytesMax = 400;  // about six lines at 200 %

struct NoticePlace {
  int index = 0;
  float bottom = 0;
};

// Returns the y below which the next notice may end.
float draw_notice(const NoticePlace& place, Severity severity, const std::string& line,
                  Panel& panel) {
  const float width = ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos(ImVec2(width / 2, place.bottom), ImGuiCond_Always, ImVec2(0.5F, 1.0F));
  ImGui::PushStyleColor(ImGuiCol_PopupBg, color::kCardHovered);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(14), panel.px(10)));
  // A tooltip lies above all other windows; a notice goes away by itself and is needed now.
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                          ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing |
                          ImGuiWindowFlags_Tooltip;
  ImGui::Begin(fmt::format("notice {}", place.index).c_str(), nullptr, kFlags);
  ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
  badge(model::word_of(severity), color_of(severity));
  ImGui::SameLine();
  // The remedy stands at the end, and a notice has no tooltip.
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width * kNoticeWidth);
  text(plain_text(one_line(line), kNoticeBytesMax));
  ImGui::PopTextWrapPos();
  const float top = place.bottom - ImGui::GetWindowHeight() - panel.px(8);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return top;
}

// The row of outputs stands there, with its buttons.
float outputs_above_layers(const Panel& panel) {
  const float outputs = outputs_height(panel);
  return outputs > 0 ? outputs + panel.px(kPanelGap) : 0;
}

// The dialog of the last frame (begin_dialog()). Null: none is open.
const ImGuiWindow* open_dialog_window() {
  constexpr auto kDialog = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                           ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove;
  constexpr auto kNoDialog = ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs |
                             ImGuiWindowFlags_ChildWindow | ImGuiWindowFlags_Popup |
                             ImGuiWindowFlags_Tooltip;
  const auto& windows = ImGui::GetCurrentContext()->Windows;
  for (int i = windows.Size - 1; i >= 0; --i) {
    const auto* window = windows[i];
    const bool is_dialog = (window->Flags & kDialog) == kDialog && (window->Flags & kNoDialog) == 0;
    if (window->WasActive && is_dialog) return window;
  }
  return nullptr;
}

// A dialog has its buttons at the end: a notice stands below it, else above, else on its title. On
// the page Perform the faders are below.
float end_beside(const ImGuiWindow& dialog, const Panel& panel) {
  constexpr float kBars = 98;    // at the top of the window
  constexpr float kNotice = 56;  // of one line, with its gaps
  constexpr float kTitle = 40;
  const float screen = ImGui::GetIO().DisplaySize.y;
  const bool has_room_above = dialog.Pos.y >= panel.px(kBars + kNotice);
  const bool has_room_below = screen - dialog.Pos.y - dialog.Size.y >= panel.px(kNotice);
  if (has_room_below && !(is_on_stage(panel) && has_room_above)) return screen - panel.px(8);
  return dialog.Pos.y + (has_room_above ? -panel.px(8) : panel.px(kTitle));
}

}  // namespace

float bottom_of_page(const Panel& panel) {
  const float layers = panel.state.perform->layers_top;
  if (is_on_stage(panel) && layers > 0) return layers - panel.px(8) - outputs_above_layers(panel);
  return ImGui::GetIO().DisplaySize.y - panel.px(16);
}

void draw_notices(Panel& panel) {
  const auto* dialog = open_dialog_window();
  float bottom = dialog == nullptr ? bottom_of_page(panel) : end_beside(*dialog, panel);
  int shown = 0;
  const auto& own = panel.state.notice;
  if (own && panel.view.now - own->at <= kNoticeTime)
    bottom = draw_notice({shown++, bottom}, Severity::warning, "window: " + own->text, panel);
  const auto& events = panel.view.events;
  for (auto event = events.rbegin(); event != events.rend() && shown < 3; ++event) {
    if (panel.view.now - event->at > kNoticeTime) continue;
    const bool tells_file = show::path_in_recorded_note(event->event.text).has_value();
    const bool concerns =
        event->event.node.empty() || event->event.severity == Severity::fault || tells_file;
    if (!concerns) continue;
    const auto line = line_of(*event) + (tells_file ? " on " + event->event.node : std::string());
    bottom =
        draw_notice({shown++, bottom}, event->event.severity, words_of_page(line, panel), panel);
  }
}

}  // namespace submix::ui
