// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/panels.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

constexpr std::chrono::seconds kNoticeTime{7};

std::string line_of(const model::EventView& event) {
  const auto times = event.count > 1 ? fmt::format(" ({} times)", event.count) : std::string();
  return fmt::format("{}: {}{}", event.event.about, event.event.text, times);
}

void draw_event(const model::EventView& event, Panel& panel) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  text(clock_text(event.at), color::kDim);
  ImGui::TableNextColumn();
  badge(model::word_of(event.event.severity), color_of(event.event.severity));
  ImGui::TableNextColumn();
  text_cut(event.event.node.empty() ? "controller" : event.event.node, panel.px(96), color::kDim);
  ImGui::TableNextColumn();
  auto line = line_of(event);
  std::ranges::replace(line, '\n', ' ');
  text_cut(line, ImGui::GetContentRegionAvail().x);
}

struct NoticePlace {
  int index = 0;
  float bottom = 0;
};

// Returns the y below which the next notice may end.
float draw_notice(const NoticePlace& place, Severity severity, const std::string& line,
                  Panel& panel) {
  const float width = ImGui::GetIO().DisplaySize.x;
  ImGui::SetNextWindowPos(ImVec2(width / 2, place.bottom), ImGuiCond_Always, ImVec2(0.5F, 1.0F));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, color::kCardHovered);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(panel.px(14), panel.px(10)));
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                          ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing;
  ImGui::Begin(fmt::format("notice {}", place.index).c_str(), nullptr, kFlags);
  badge(model::word_of(severity), color_of(severity));
  ImGui::SameLine();
  text_cut(line, width * 0.6F);
  const float top = place.bottom - ImGui::GetWindowHeight() - panel.px(8);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return top;
}

}  // namespace

void draw_events_panel(Panel& panel) {
  const auto& events = panel.view.events;
  if (begin_panel("Events", panel.fonts)) {
    if (panel.view.messages_dropped > 0) {
      const auto words =
          fmt::format("{} readings missed: this machine is too busy", panel.view.messages_dropped);
      panel_title_right(width_of(words));
      text(words, color::kWarning);
    }
    ImGui::PushFont(panel.fonts.small);
    if (events.empty()) text("Nothing has happened yet.", color::kDim);
    if (!events.empty() && ImGui::BeginTable("events", 4, ImGuiTableFlags_ScrollY)) {
      ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed, panel.px(62));
      ImGui::TableSetupColumn("severity", ImGuiTableColumnFlags_WidthFixed, panel.px(70));
      ImGui::TableSetupColumn("node", ImGuiTableColumnFlags_WidthFixed, panel.px(96));
      ImGui::TableSetupColumn("text", ImGuiTableColumnFlags_WidthStretch);
      ImGuiListClipper seen;
      seen.Begin(static_cast<int>(events.size()));
      while (seen.Step()) {
        for (int i = seen.DisplayStart; i < seen.DisplayEnd; ++i)
          draw_event(events[events.size() - 1 - static_cast<std::size_t>(i)], panel);
      }
      ImGui::EndTable();
    }
    ImGui::PopFont();
  }
  end_panel();
}

// Recent failures of this controller, and faults from anywhere, where people see them.
void draw_notices(Panel& panel) {
  float bottom = ImGui::GetIO().DisplaySize.y - panel.px(16);
  int shown = 0;
  const auto& own = panel.state.notice;
  if (own && panel.view.now - own->at <= kNoticeTime)
    bottom = draw_notice({shown++, bottom}, Severity::warning, "window: " + own->text, panel);
  const auto& events = panel.view.events;
  for (auto event = events.rbegin(); event != events.rend() && shown < 3; ++event) {
    const bool concerns = event->event.node.empty() || event->event.severity == Severity::fault;
    if (!concerns || panel.view.now - event->at > kNoticeTime) continue;
    bottom = draw_notice({shown++, bottom}, event->event.severity, line_of(*event), panel);
  }
}

}  // namespace submix::ui
