// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/telemetry/jitter.hpp"
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/view/delays.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/frame_text.hpp"
#include "controller/ui/draw/sight.hpp"
#include "controller/ui/draw/verdict_colors.hpp"
#include "controller/ui/pages/overview_panels.hpp"
#include "controller/ui/panel.hpp"

#include <array>
#include <cmath>
#include <vector>

namespace submix::ui {
namespace {

// "frames from clip waiting for glow: 4711 (shared by 3), 4712 (shared by 1)".
std::string contents_text(const telemetry::QueueReading& queue, const std::string& slot) {
  auto words = fmt::format("frames from {} waiting for {}", queue.from, slot);
  for (const auto& frame : queue.frames) {
    words += fmt::format("{}{} (shared by {})", &frame == queue.frames.data() ? ": " : ", ",
                         frame.number, frame.references);
  }
  return words;
}

void draw_queues(const model::StageView& stage, ImU32 when_full, Panel& panel) {
  const float height = std::round(ImGui::GetTextLineHeight() * 0.6F);
  const float figure = panel.px(52);
  for (const auto& queue : stage.queues) {
    const float y = ImGui::GetCursorPosY();
    const float x = ImGui::GetCursorPosX();
    const float bar = ImGui::GetContentRegionAvail().x - figure;
    ImGui::SetCursorPosY(y + std::round((ImGui::GetTextLineHeight() - height) * 0.6F));
    seats_bar({queue.size, queue.capacity, when_full}, ImVec2(bar, height));
    ImGui::SetCursorPos(ImVec2(x + bar, y));
    text_right(FrameText("{} of {}", queue.size, queue.capacity),
               queue.size >= queue.capacity ? when_full : color::kDim);
    if (ImGui::IsItemHovered()) tooltip(contents_text(queue, stage.slot));
  }
}

void draw_shares(const model::StageShares& shares, ImU32 when_blocked) {
  const std::array parts{BarPart{shares.working, color::kGood},
                         BarPart{shares.starved, color::kWaiting},
                         BarPart{shares.blocked, when_blocked}};
  const float height = std::round(ImGui::GetTextLineHeight() * 0.6F);
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + std::round((ImGui::GetTextLineHeight() - height) * 0.6F));
  parts_bar(parts, ImVec2(ImGui::GetContentRegionAvail().x, height));
  tip("working {}, starved {}, blocked {}", percent_text(shares.working),
      percent_text(shares.starved), percent_text(shares.blocked));
}

void draw_stage(const model::StageView& stage, const std::string& submix, Panel& panel) {
  const ImU32 when_blocked = blocked_slot_color(panel.view, submix, stage.slot);
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
  draw_shares(stage.shares, when_blocked);
  for (const double share : {stage.shares.working, stage.shares.starved, stage.shares.blocked}) {
    ImGui::TableNextColumn();
    text_right(percent_text(share), share > 0.005 ? color::kText : color::kFaint);
  }
  ImGui::TableNextColumn();
  draw_queues(stage, when_blocked, panel);
  ImGui::TableNextColumn();
  text_right(rate_text(stage.fps));
}

void draw_queues_head() {
  ImGui::TableNextRow();
  head_cell("slot");
  head_cell("share of time");
  head_cell("working", true);
  head_cell("starved", true);
  head_cell("blocked", true);
  head_cell("input queue");
  head_cell("fps", true);
}

// Greatest delay of 99 % of the submix's frames since it started.
void draw_jitter(const model::SubmixView& submix) {
  const auto frames = telemetry::frame_count(submix.jitter);
  if (frames == 0) return;
  ImGui::SameLine();
  text(FrameText("late by {} (99 %)",
                 milliseconds_text(telemetry::jitter_within(submix.jitter, 0.99))),
       color::kFaint);
  tip("of {} frames: half within {} of their time, at most {}", frames,
      milliseconds_text(telemetry::jitter_within(submix.jitter, 0.5)),
      milliseconds_text(submix.jitter.max));
}

// The oldest performer's picture that the submix shows.
void draw_delay(const model::SubmixView& submix, const std::vector<model::PerformerDelay>& delays) {
  const model::PerformerDelay* longest = nullptr;
  for (const auto& delay : delays) {
    const bool is_longer = longest == nullptr || delay.p50 > longest->p50;
    if (delay.output == submix.name && is_longer) longest = &delay;
  }
  if (longest == nullptr) return;
  ImGui::SameLine();
  text(FrameText("delay {}", milliseconds_text(longest->p50)), color::kFaint);
  tip("how old the pictures of {} are when {} shows them: half of them at most {}, 99 % at most {}",
      longest->performer, submix.name, milliseconds_text(longest->p50),
      milliseconds_text(longest->p99));
}

void draw_submix(const model::SubmixView& submix, const std::vector<model::PerformerDelay>& delays,
                 Panel& panel) {
  text_in(panel.fonts.strong, submix.name);
  ImGui::SameLine();
  text(submix.node.empty() ? "on no node" : fmt::format("on {}", submix.node), color::kDim);
  draw_jitter(submix);
  draw_delay(submix, delays);
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
    if (&submix == panel.view.submixes.data())
      draw_queues_head();  // all tables have the same columns
    for (const auto& stage : submix.stages)
      draw_stage(stage, submix.name, panel);
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

void draw_bottleneck(Panel& panel) {
  using Kind = model::Bottleneck::Kind;
  if (panel.view.bottleneck == nullptr) return;
  const auto& bottleneck = *panel.view.bottleneck;
  if (bottleneck.kind == Kind::unknown || bottleneck.kind == Kind::paused) return;
  ImGui::PushTextWrapPos(0);
  text(bottleneck.sentence, bottleneck.kind == Kind::nothing ? color::kDim : color::kWarning);
  ImGui::PopTextWrapPos();
}

// "5000 checked, 0 lost, 0 duplicated, …": the counts of the checkers. A picture that an input
// repeated is no fault.
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
  if (const auto held = counters.find("held"); held != counters.end() && held->second > 0)
    words += fmt::format(", {} held", held->second);
  text_cut(words, ImGui::GetContentRegionAvail().x, is_clean ? color::kGood : color::kBad);
}

}  // namespace

void draw_queues_panel(Panel& panel) {
  if (begin_panel("Queues", panel.fonts)) {
    title_legend(std::array{Meaning{"working", color::kGood}, Meaning{"starved", color::kWaiting},
                            Meaning{"blocked", blocked_color(panel.view)}});
    draw_bottleneck(panel);
    draw_checker(panel);
    const auto delays = model::find_delays(panel.view);
    for (const auto& submix : panel.view.submixes) {
      draw_if_seen(submix.name, [&] {
        draw_submix(submix, delays, panel);
        ImGui::Dummy(ImVec2(0, panel.px(4)));
      });
    }
  }
  end_panel();
}

}  // namespace submix::ui
