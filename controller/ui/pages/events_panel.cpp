// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/panel.hpp"

#include <algorithm>
#include <cmath>

namespace submix::ui {
namespace {

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

}  // namespace

std::string line_of(const model::EventView& event) {
  const auto times = event.count > 1 ? fmt::format(" ({} times)", event.count) : std::string();
  return fmt::format("{}: {}{}", event.event.about, event.event.text, times);
}

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

}  // namespace submix::ui
