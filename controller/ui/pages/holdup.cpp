// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/verdict/bottleneck.hpp"
#include "controller/model/verdict/missing_performers.hpp"
#include "controller/model/verdict/verdict.hpp"
#include "controller/model/verdict/verdict_history.hpp"
#include "controller/ui/draw/divider.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/verdict_colors.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/pages/path_boxes.hpp"
#include "controller/ui/pages/start_here.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace submix::ui {
namespace {

constexpr std::chrono::minutes kTimelineShown{5};

using VerdictKind = model::Bottleneck::Kind;

std::string words_of(const model::VerdictSpan& span) {
  if (!span.culprit.empty()) return span.culprit;
  switch (span.kind) {
    case VerdictKind::nothing:
      return "nobody";
    case VerdictKind::paused:
      return "paused";
    case VerdictKind::standstill:
      return "all stood still";
    default:
      return "not known";
  }
}

/// A span with its end. The last span ends now.
struct Shown {
  const model::VerdictSpan* span;
  const std::string* sentence;
  LocalTime until;
};

Shown shown_of(const model::ClusterView& view, std::size_t index) {
  const auto& spans = *view.verdicts;
  const auto& span = spans[index];
  const bool lasts_still = index + 1 == spans.size() && span.kind == view.bottleneck->kind;
  return {&span, lasts_still ? &view.bottleneck->sentence : &span.sentence,
          index + 1 == spans.size() ? view.now : span.until};
}

std::string times_of(const Shown& shown) {
  return fmt::format("{} - {}", clock_text(shown.span->from), clock_text(shown.until));
}

void draw_remedy(Panel& panel) {
  const auto remedy = model::remedy_of(panel.view, *panel.view.bottleneck);
  if (!remedy) return;
  ImGui::AlignTextToFramePadding();
  text("What would help:", color::kDim);
  ImGui::SameLine();
  if (remedy->edit && !panel.view.is_read_only) {
    if (ImGui::Button("Do it")) edit_show(*remedy->edit, Gesture::none, panel);
    tooltip(title(*remedy->edit) + "; Ctrl+Z takes it back");
    ImGui::SameLine();
  }
  ImGui::PushTextWrapPos(0);
  text(panel.view.bottleneck->kind == VerdictKind::paused ? remedy->text + ": Ctrl+Space"
                                                          : remedy->text);
  ImGui::PopTextWrapPos();
}

// In an emergency one press continues the show without these performers.
void draw_continue_buttons(const std::vector<std::string>& performers, Panel& panel) {
  if (panel.view.is_read_only) return;
  for (const auto& name : performers) {
    if (ImGui::Button(fmt::format("Go on without {}", name).c_str()))
      edit_show(model::continue_without(*panel.view.show, name), Gesture::none, panel);
    tooltip(
        "Its last picture stays until it is back. Ctrl+Z, or \"wait for it again\" in the palette, "
        "takes this back");
    ImGui::SameLine();
  }
  ImGui::NewLine();
}

void draw_sentence(Panel& panel) {
  if (begin_panel("What holds the show back", panel.fonts)) {
    const auto& verdict = *panel.view.bottleneck;
    if (panel.view.verdicts != nullptr && !panel.view.verdicts->empty()) {
      const auto& last = panel.view.verdicts->back();
      const auto words = fmt::format("for {}, since {}", duration_text(panel.view.now - last.from),
                                     clock_text(last.from));
      panel_title_right(width_of(words));
      text(words, color::kDim);
    }
    ImGui::PushFont(panel.fonts.large);
    ImGui::PushTextWrapPos(0);
    text(verdict.sentence,
         verdict.kind == VerdictKind::nothing || verdict.kind == VerdictKind::unknown
             ? color::kText
             : color_of(verdict.kind));
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    draw_remedy(panel);
    const auto performers = model::blocking_performers(panel.view);
    if (!performers.empty()) draw_continue_buttons(performers, panel);
    if (!missing_nodes(panel).empty()) draw_start_buttons(panel);
  }
  end_panel();
}

void draw_way(Panel& panel) {
  const bool is_limited = panel.view.bottleneck->is_slow();
  if (begin_panel(is_limited ? "The path from the output back to its limit"
                             : "The path from the output back to its source",
                  panel.fonts)) {
    title_legend(std::array{
        Meaning{"working, sending", color::kGood}, Meaning{"starved, idle", color::kWaiting},
        Meaning{"blocked", blocked_color(panel.view)}, Meaning{"not there", color::kBad}});
    draw_path_boxes(panel);
  }
  end_panel();
}

void draw_minutes(ImVec2 corner, ImVec2 size, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const int minutes = static_cast<int>(kTimelineShown.count());
  for (int minute = 0; minute <= minutes; ++minute) {
    const float x = std::round(corner.x + (size.x - 1) * static_cast<float>(minute) /
                                              static_cast<float>(minutes));
    draw->AddRectFilled(ImVec2(x, corner.y + size.y),
                        ImVec2(x + 1, corner.y + size.y + panel.px(4)), color::kFaint);
    const auto words =
        minute == minutes ? std::string("now") : fmt::format("-{} min", minutes - minute);
    const float width = width_of(words);
    const float left = std::clamp(x - width / 2, corner.x, corner.x + size.x - width);
    draw->AddText(ImVec2(std::round(left), corner.y + size.y + panel.px(4)), color::kDim,
                  words.c_str());
  }
}

void draw_timeline(Panel& panel) {
  const auto corner = ImGui::GetCursorScreenPos();
  const ImVec2 size(ImGui::GetContentRegionAvail().x, panel.px(30));
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(corner, ImVec2(corner.x + size.x, corner.y + size.y), color::kTrack);
  ImGui::InvisibleButton("timeline", size);
  const bool is_hovered = ImGui::IsItemHovered();
  const auto x_of = [&](LocalTime time) {
    const std::chrono::duration<float> age = panel.view.now - time;
    const std::chrono::duration<float> shown = kTimelineShown;
    return std::round(corner.x + size.x * std::clamp(1 - age / shown, 0.0F, 1.0F));
  };
  for (std::size_t i = 0; i < panel.view.verdicts->size(); ++i) {
    const auto shown = shown_of(panel.view, i);
    const float left = x_of(shown.span->from);
    const float right = std::max(x_of(shown.until), left + 1);
    if (right <= corner.x + 1) continue;
    const ImVec2 end(right, corner.y + size.y);
    draw->AddRectFilled(ImVec2(left, corner.y), end, color_of(shown.span->kind));
    draw->AddRectFilled(ImVec2(left, corner.y), ImVec2(left + 1, end.y), color::kPanel);
    const auto words = words_of(*shown.span);
    if (width_of(words) + panel.px(12) < right - left) {
      const float top = corner.y + std::round((size.y - ImGui::GetFontSize()) / 2);
      draw->AddText(ImVec2(left + panel.px(6), top), color::kOnBright, words.c_str());
    }
    const float mouse = ImGui::GetMousePos().x;
    if (is_hovered && mouse >= left && mouse < right)
      tooltip(fmt::format("{}: {}\n{}", times_of(shown), words, *shown.sentence));
  }
  draw_minutes(corner, size, panel);
  ImGui::Dummy(ImVec2(size.x, ImGui::GetFontSize() + panel.px(2)));
}

void draw_span(const Shown& shown) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  text(times_of(shown), color::kDim);
  ImGui::TableNextColumn();
  text_right(duration_text(shown.until - shown.span->from), color::kDim);
  ImGui::TableNextColumn();
  badge(words_of(*shown.span), color_of(shown.span->kind));
  ImGui::TableNextColumn();
  text_cut(*shown.sentence, ImGui::GetContentRegionAvail().x);
}

void draw_spans(Panel& panel) {
  constexpr auto kFlags = ImGuiTableFlags_ScrollY;
  if (!ImGui::BeginTable("spans", 4, kFlags, ImGui::GetContentRegionAvail())) return;
  ImGui::TableSetupColumn("time", ImGuiTableColumnFlags_WidthFixed,
                          width_of("00:00:00 - 00:00:00"));
  ImGui::TableSetupColumn("length", ImGuiTableColumnFlags_WidthFixed, panel.px(64));
  ImGui::TableSetupColumn("who", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("why", ImGuiTableColumnFlags_WidthStretch, 4);
  const auto count = static_cast<int>(panel.view.verdicts->size());
  ImGuiListClipper clipper;
  clipper.Begin(count);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i)  // newest first
      draw_span(shown_of(panel.view, static_cast<std::size_t>(count - 1 - i)));
  }
  ImGui::EndTable();
}

void draw_history(Panel& panel) {
  if (begin_panel("Who held it back in the last minutes", panel.fonts)) {
    title_legend(std::array{Meaning{"nobody", color::kGood}, Meaning{"somebody", color::kWarning},
                            Meaning{"stood still", color::kBad},
                            Meaning{"paused", color::kWaiting}});
    ImGui::PushFont(panel.fonts.small);
    if (panel.view.verdicts != nullptr) {
      draw_timeline(panel);
      draw_spans(panel);
    }
    ImGui::PopFont();
  }
  end_panel();
}

float sentence_height(float width, Panel& panel) {
  const auto& sentence = panel.view.bottleneck->sentence;
  const float inner = width - panel.px(28);
  const float words = panel.fonts.large
                          ->CalcTextSizeA(panel.fonts.large->FontSize, 1e6F, inner, sentence.data(),
                                          sentence.data() + sentence.size())
                          .y;
  const bool has_remedy = model::remedy_of(panel.view, *panel.view.bottleneck).has_value();
  const bool has_performers = !model::blocking_performers(panel.view).empty();
  const bool has_starts = !missing_nodes(panel).empty();
  const int rows = (has_remedy ? 1 : 0) + (has_performers ? 1 : 0) + (has_starts ? 1 : 0);
  return panel.px(58.0F + 30.0F * static_cast<float>(rows)) + words;
}

}  // namespace

void draw_holdup_page(Panel& panel) {
  if (panel.view.bottleneck == nullptr) return;
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  const float width = room.x - 2 * gap;
  const float usual_sentence = std::min(sentence_height(width, panel), room.y * 0.3F);
  const Divider sentence_edge{"holdup-sentence", room.y, usual_sentence, panel.px(58),
                              panel.px(260)};
  const float sentence = length_of(sentence_edge, panel);
  const float left = room.y - sentence - 3 * gap;
  const float usual_way =
      std::min(path_boxes_height(width - panel.px(28), panel) + panel.px(56), left * 0.76F);
  const Divider way_edge{"holdup-way", left, usual_way, panel.px(100), panel.px(120)};
  const float way = length_of(way_edge, panel);
  put({"sentence", {gap, 0}, {width, sentence}}, panel, draw_sentence);
  put({"way", {gap, sentence + gap}, {width, way}}, panel, draw_way);
  put({"history", {gap, sentence + way + 2 * gap}, {width, left - way}}, panel, draw_history);
  draw_handle(sentence_edge, {gap, sentence}, {width, gap}, panel);
  draw_handle(way_edge, {gap, sentence + gap + way}, {width, gap}, panel);
}

}  // namespace submix::ui
