// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/alerts.hpp"
#include "common/base/plain_text.hpp"
#include "controller/model/edit/last_good_show.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/navigation.hpp"
#include "controller/ui/pages/pages.hpp"

#include <algorithm>

namespace submix::ui {
namespace {

constexpr std::size_t kAlertBytesMax = 600;

// False: the alert is about something without a page, such as NATS.
bool has_place(const model::Alert& alert) {
  return !alert.stream.empty() || !alert.submix.empty() || !alert.node.empty();
}

void open_thing(const model::Alert& alert, Panel& panel) {
  if (!alert.slot.empty()) return open_slot(panel, alert.submix, alert.slot);
  if (!alert.stream.empty()) return open_stream(panel, alert.stream);
  if (!alert.submix.empty()) return open_slot(panel, alert.submix, {});
  if (!alert.node.empty()) open_node(panel, alert.node);
}

std::string state_words(const model::Alert& alert) {
  if (!alert.is_open()) return "over";
  return alert.severity == Severity::fault ? "fault" : "warning";
}

std::string since_words(const model::Alert& alert, const model::ClusterView& view) {
  const auto end = alert.until.value_or(view.now);
  auto words = fmt::format("{}, {}", clock_text(alert.since), duration_text(end - alert.since));
  if (alert.count > 1) words += fmt::format(", {} times", alert.count);
  return words;
}

// In as many lines as they need: the remedy stands at the end, and fingers see no tooltip.
void draw_all_words(std::string_view words, bool is_dim) {
  const ImU32 color = is_dim ? color::kDim : color::kText;
  if (words.size() <= kAlertBytesMax) return text_wrapped(words, color);
  text_wrapped(plain_text(one_line(words), kAlertBytesMax), color);
  tooltip(words);
}

void draw_seen(const model::Alert& alert, Panel& panel) {
  if (!alert.is_open()) return;
  if (alert.is_acknowledged) return text("seen", color::kFaint);
  if (ImGui::SmallButton("Seen")) panel.actions.emplace_back(session::AcknowledgeAlert{alert.id});
  tooltip("The top bar no longer counts it");
}

void draw_alert(const model::Alert& alert, Panel& panel) {
  const bool is_dim = !alert.is_open() || alert.is_acknowledged;
  ImGui::PushID(static_cast<int>(alert.id));
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  badge(state_words(alert), alert.is_open() ? color_of(alert.severity) : color::kDim);
  ImGui::TableNextColumn();
  const float x = ImGui::GetCursorPosX();
  if (has_place(alert)) {
    if (ImGui::Selectable("##thing", false, ImGuiSelectableFlags_AllowItemOverlap))
      open_thing(alert, panel);
    tooltip("Click to go there");
    ImGui::SameLine(x);
    ImGui::SetCursorPosX(x);
  }
  text_cut(alert.thing, ImGui::GetContentRegionAvail().x, is_dim ? color::kDim : color::kText);
  ImGui::TableNextColumn();
  draw_all_words(alert.cause, is_dim);
  ImGui::TableNextColumn();
  draw_all_words(since_words(alert, panel.view), true);
  ImGui::TableNextColumn();
  draw_all_words(alert.response, is_dim);
  ImGui::TableNextColumn();
  draw_seen(alert, panel);
  ImGui::PopID();
}

void draw_table(const model::AlertLog::Alerts& alerts, Panel& panel) {
  if (!ImGui::BeginTable("alerts", 6, ImGuiTableFlags_ScrollY, ImGui::GetContentRegionAvail()))
    return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("state", ImGuiTableColumnFlags_WidthFixed, panel.px(78));
  ImGui::TableSetupColumn("thing", ImGuiTableColumnFlags_WidthStretch, 1.2F);
  ImGui::TableSetupColumn("cause", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableSetupColumn("since", ImGuiTableColumnFlags_WidthStretch, 1.2F);
  ImGui::TableSetupColumn("what was done", ImGuiTableColumnFlags_WidthStretch, 3);
  ImGui::TableSetupColumn("seen", ImGuiTableColumnFlags_WidthFixed, panel.px(52));
  ImGui::TableNextRow();
  for (const char* word : {"", "thing", "cause", "since", "what the system did about it", ""}) {
    ImGui::TableNextColumn();
    text(word, color::kFaint);
  }
  for (const auto& alert : alerts)
    draw_alert(alert, panel);
  ImGui::EndTable();
}

// At the right of the title. In an emergency one press restores the last good show.
void draw_buttons(bool has_unseen, Panel& panel) {
  const bool has_way_back = !panel.view.is_read_only && model::should_offer_way_back(panel.view);
  const char* back_words = "Go back to the last good show";
  const float seen = has_unseen ? panel.px(92) : 0;
  const float back = has_way_back ? width_of(back_words) + panel.px(20) : 0;
  const float gap = has_unseen && has_way_back ? panel.px(8) : 0;
  if (seen + back == 0) return;
  panel_title_right(back + gap + seen);
  if (has_way_back) {
    if (ImGui::Button(back_words, ImVec2(back, 0))) go_back_to_good_show(panel);
    tooltip(model::good_show_text(panel.view) + "; Ctrl+Z takes it back");
  }
  if (gap > 0) ImGui::SameLine(0, gap);
  if (has_unseen && ImGui::Button("All seen", ImVec2(seen, 0)))
    panel.actions.emplace_back(session::AcknowledgeAlert{});
}

void draw_no_alerts(const Panel& panel) {
  if (panel.view.connection == model::ConnectionState::connecting)
    return text("Nothing is known yet: this window looks for NATS.", color::kDim);
  text("All is well: no alert since this window was opened.", color::kGood);
}

void draw_alerts_content(Panel& panel) {
  if (begin_panel("Alerts", panel.fonts)) {
    const auto& alerts = *panel.view.alerts;
    draw_buttons(model::unseen_alerts(alerts) > 0, panel);
    ImGui::PushFont(panel.fonts.small);
    if (alerts.empty()) draw_no_alerts(panel);
    if (!alerts.empty()) draw_table(alerts, panel);
    ImGui::PopFont();
  }
  end_panel();
}

}  // namespace

void draw_alert_badge(Panel& panel, ImVec2 right_corner) {
  const auto unseen = panel.view.alerts == nullptr ? 0 : model::unseen_alerts(*panel.view.alerts);
  if (unseen == 0) return;
  const auto& worst = panel.view.alerts->front();
  const bool has_room = !is_narrow(ImGui::GetWindowWidth(), panel);
  const auto words = has_room ? fmt::format("{} alert{}", unseen, unseen == 1 ? "" : "s")
                              : fmt::format("! {}", unseen);
  const ImVec2 size(width_of(words) + panel.px(has_room ? 20 : 12), panel.px(24));
  ImGui::SetCursorPos(ImVec2(right_corner.x - size.x, right_corner.y));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(panel.px(4), 0));
  const bool has_fault = std::ranges::any_of(*panel.view.alerts, [](const model::Alert& alert) {
    return alert.is_open() && !alert.is_acknowledged && alert.severity == Severity::fault;
  });
  const ImU32 back = has_fault ? color::kBad : color::kWarning;
  ImGui::PushStyleColor(ImGuiCol_Button, back);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, with_alpha(back, 0.85F));
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, with_alpha(back, 0.7F));
  ImGui::PushStyleColor(ImGuiCol_Text, color::kOnBright);
  if (ImGui::Button(words.c_str(), size)) open_page(panel.state, {"alerts"});
  ImGui::PopStyleColor(4);
  ImGui::PopStyleVar();
  tooltip(fmt::format("{}: {}", worst.thing, worst.cause));
}

void draw_alerts_page(Panel& panel) {
  if (panel.view.alerts == nullptr) return;
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  put({"alerts", {gap, 0}, {room.x - 2 * gap, room.y - gap}}, panel, draw_alerts_content);
}

}  // namespace submix::ui
