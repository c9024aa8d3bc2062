// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/notices.hpp"

#include "common/base/plain_text.hpp"
#include "common/show/recorded_note.hpp"
#include "controller/model/verdict/alerts.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/pages/pages.hpp"

#include <imgui_internal.h>

#include <array>
#include <chrono>
#include <string>
#include <utility>

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

bool is_on_stage(const Panel& panel) {
  return panel.view.show != nullptr && chosen_page(panel.state).id == "perform";
}

// On the page Perform the faders stay in view.
float lowest_end(const Panel& panel) {
  const float layers = panel.state.perform->layers_top;
  if (is_on_stage(panel) && layers > 0) return layers - panel.px(8);
  return ImGui::GetIO().DisplaySize.y - panel.px(16);
}

}  // namespace

std::string stage_words(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords{
      {{"node \"", "PC \""}, {"submix \"", "layer \""}, {"slot \"", "effect \""}}};
  std::string words(text);
  for (const auto& [machine, stage] : kWords) {
    for (auto at = words.find(machine); at != std::string::npos;
         at = words.find(machine, at + stage.size()))
      words.replace(at, machine.size(), stage);
  }
  return words;
}

void draw_notices(Panel& panel) {
  float bottom = lowest_end(panel);
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
    bottom = draw_notice({shown++, bottom}, event->event.severity,
                         is_on_stage(panel) ? stage_words(line) : line, panel);
  }
}

}  // namespace submix::ui
