// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/bottleneck.hpp"
#include "controller/ui/format.hpp"
#include "controller/ui/panels.hpp"
#include "controller/ui/widgets.hpp"

#include <array>
#include <cmath>

namespace submix::ui {
namespace {

void draw_queues(const model::StageView& stage, Panel& panel) {
  const float height = std::round(ImGui::GetTextLineHeight() * 0.6F);
  const float figure = panel.px(52);
  for (const auto& queue : stage.queues) {
    const float y = ImGui::GetCursorPosY();
    const float x = ImGui::GetCursorPosX();
    const float bar = ImGui::GetContentRegionAvail().x - figure;
    ImGui::SetCursorPosY(y + std::round((ImGui::GetTextLineHeight() - height) * 0.6F));
    seats_bar(queue.size, queue.capacity, ImVec2(bar, height));
    ImGui::SetCursorPos(ImVec2(x + bar, y));
    text_right(fmt::format("{} of {}", queue.size, queue.capacity),
               queue.size >= queue.capacity ? color::kWarning : color::kDim);
    tooltip(fmt::format("frames from {} waiting for {}", queue.from, stage.slot));
  }
}

void draw_shares(const model::StageShares& shares) {
  const std::array parts{BarPart{shares.working, color::kGood}, BarPart{shares.starved, color::kWaiting},
                         BarPart{shares.blocked, color::kWarning}};
  const float height = std::round(ImGui::GetTextLineHeight() * 0.6F);
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::round((ImGui::GetTextLineHeight() - height) * 0.6F));
  parts_bar(parts, ImVec2(ImGui::GetContentRegionAvail().x, height));
  tooltip(fmt::format("working {}, starved {}, blocked {}", percent_text(shares.working),
                      percent_text(shares.starved), percent_text(shares.blocked)));
}

void draw_stage(const model::StageView& stage, Panel& panel) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  text(stage.slot);
  ImGui::SameLine();
  if (!stage.trouble.empty()) {
    badge("bypassed", color::kBad);
    tooltip(stage.trouble);
    ImGui::SameLine();
  }
  text_cut(stage.plugin, ImGui::GetContentRegionAvail().x, color::kFaint);
  ImGui::TableNextColumn();
  draw_shares(stage.shares);
  for (const double share : {stage.shares.working, stage.shares.starved, stage.shares.blocked}) {
    ImGui::TableNextColumn();
    text_right(percent_text(share), share > 0.005 ? color::kText : color::kFaint);
  }
  ImGui::TableNextColumn();
  draw_queues(stage, panel);
  ImGui::TableNextColumn();
  text_right(rate_text(stage.fps));
}

void head_cell(const char* words, bool is_right = false) {
  ImGui::TableNextColumn();
  if (is_right) return text_right(words, color::kFaint);
  text(words, color::kFaint);
}

void draw_head() {
  ImGui::TableNextRow();
  head_cell("slot");
  head_cell("share of time");
  head_cell("working", true);
  head_cell("starved", true);
  head_cell("blocked", true);
  head_cell("input queue");
  head_cell("fps", true);
}

void draw_submix(const model::SubmixView& submix, Panel& panel) {
  text_in(panel.fonts.strong, submix.name);
  ImGui::SameLine();
  text(submix.node.empty() ? "on no node" : fmt::format("on {}", submix.node), color::kDim);
  ImGui::PushFont(panel.fonts.small);
  if (submix.stages.empty()) {
    text(std::string(to_string(submix.state)) + ": no telemetry", color::kDim);
  } else if (ImGui::BeginTable(submix.name.c_str(), 7)) {
    ImGui::TableSetupColumn("slot", ImGuiTableColumnFlags_WidthStretch, 1.3F);
    ImGui::TableSetupColumn("bar", ImGuiTableColumnFlags_WidthStretch, 1.0F);
    for (const char* name : {"working", "starved", "blocked"}) {
      ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed, panel.px(50));
    }
    ImGui::TableSetupColumn("queue", ImGuiTableColumnFlags_WidthStretch, 0.9F);
    ImGui::TableSetupColumn("fps", ImGuiTableColumnFlags_WidthFixed, panel.px(42));
    if (&submix == panel.view.submixes.data()) draw_head();  // the columns of all tables are in line
    for (const auto& stage : submix.stages)
      draw_stage(stage, panel);
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void draw_bottleneck(Panel& panel) {
  using Kind = model::Bottleneck::Kind;
  const auto bottleneck = model::find_bottleneck(panel.view);
  if (bottleneck.kind == Kind::unknown || bottleneck.kind == Kind::paused) return;
  ImGui::PushTextWrapPos(0);
  text(bottleneck.sentence, bottleneck.kind == Kind::nothing ? color::kDim : color::kWarning);
  ImGui::PopTextWrapPos();
}

// "5000 checked, 0 lost, 0 duplicated, …": what the checkers have counted.
void draw_checker(Panel& panel) {
  const auto counters = panel.view.checker_counters();
  if (counters.empty()) return;
  std::string words = "checker: ";
  bool is_clean = true;
  for (const char* name : {"checked", "lost", "duplicated", "reordered", "torn", "unreadable"}) {
    const auto found = counters.find(name);
    if (found == counters.end()) continue;
    const bool is_fault = std::string_view(name) != "checked";
    words += fmt::format("{}{} {}", is_fault ? ", " : "", found->second, name);
    is_clean = is_clean && !(is_fault && found->second > 0);
  }
  text(words, is_clean ? color::kGood : color::kBad);
}

}  // namespace

void draw_queues_panel(Panel& panel) {
  if (begin_panel("Queues", panel.fonts)) {
    title_legend(std::array{Meaning{"working", color::kGood}, Meaning{"starved", color::kWaiting},
                            Meaning{"blocked", color::kWarning}});
    draw_bottleneck(panel);
    draw_checker(panel);
    for (const auto& submix : panel.view.submixes) {
      draw_submix(submix, panel);
      ImGui::Dummy(ImVec2(0, panel.px(4)));
    }
  }
  end_panel();
}

}  // namespace submix::ui
