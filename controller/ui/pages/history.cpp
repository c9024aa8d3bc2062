// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/timeline.hpp"
#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/exports.hpp"
#include "controller/ui/pages/history_state.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/plots/time_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace submix::ui {
namespace {

using TraceState = model::TraceView::State;
using std::chrono::nanoseconds;

constexpr double kShownMin = 1e-5;  // ten microseconds over the window's width
constexpr std::array kSeconds{1, 2, 5, 10, 15};
constexpr float kRow = 20;  // unscaled, as are the next constants
constexpr float kNames = 210;
constexpr float kMomentReach = 3;

double seconds_of(nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}
nanoseconds nanoseconds_of(double seconds) {
  return nanoseconds(static_cast<std::int64_t>(seconds * 1e9));
}

ImU32 color_of_trace(telemetry::TraceKind kind) {
  switch (kind) {
    case telemetry::TraceKind::working:
      return color::kGood;
    case telemetry::TraceKind::starved:
      return color::kWaiting;
    case telemetry::TraceKind::blocked:
      return color::kHeld;
    case telemetry::TraceKind::sent:
      return color::kAccent;
    case telemetry::TraceKind::received:
      return curve_color(5);
    case telemetry::TraceKind::released:
      return color::kText;
  }
  return color::kDim;
}

TimeLimits limits_of(const model::Timeline& timeline) {
  return {0, std::max(seconds_of(timeline.length), kShownMin), kShownMin};
}

// A new trace is shown from end to end.
TimeAxis& axis_of(const std::shared_ptr<const model::Timeline>& timeline, Panel& panel) {
  auto& trace = *panel.state.history;
  if (trace.shown != timeline) {
    trace.shown = timeline;
    trace.axis = {0, limits_of(*timeline).end};
  }
  return trace.axis;
}

// Taking a trace.

void draw_take(const model::TraceView& view, Panel& panel) {
  auto& seconds = panel.state.history->seconds;
  const bool is_busy = view.state == TraceState::asking || view.state == TraceState::merging;
  if (is_busy) {  // draw_progress() shows how far it is
    ImGui::AlignTextToFramePadding();
    return text("A trace is being taken.", color::kDim);
  }
  if (ImGui::Button("Take a trace")) take_trace(panel);
  tooltip("Asks all nodes what their threads did; the show is not disturbed");
  ImGui::SameLine();
  text("of the last", color::kDim);
  ImGui::SameLine();
  ImGui::SetNextItemWidth(panel.px(84));
  if (!begin_combo("##seconds", fmt::format("{} s", seconds).c_str(), panel)) return;
  for (const int choice : kSeconds) {
    if (ImGui::Selectable(fmt::format("{} s", choice).c_str(), choice == seconds)) seconds = choice;
  }
  end_combo();
}

void draw_save(const model::TraceView& view, Panel& panel) {
  auto& path = panel.state.history->path;
  if (!path.empty() && path == view.saved_as) path.clear();  // the next trace goes to another file
  if (path.empty()) path = export_path("submix-trace", ".json");
  ImGui::SameLine(0, panel.px(24));
  if (draw_export(path, {view.is_saving, view.saved_as, view.save_error}, panel))
    panel.actions.emplace_back(session::SaveTrace{path});
}

std::string clock_words(const model::Timeline& timeline) {
  auto words = fmt::format("on the clock of {}", timeline.reference);
  if (timeline.error.count() > 0)
    words += fmt::format(" to within {}", milliseconds_text(timeline.error));
  for (const auto& node : timeline.by_wall_clock)
    words += fmt::format("; {} by the time of day", node);
  return words;
}

// Lanes.

/// A row of the chart: a node's name, or a lane.
struct Row {
  const std::string* node = nullptr;
  const model::TraceLane* lane = nullptr;
};

std::vector<Row> rows_of(const model::Timeline& timeline) {
  std::vector<Row> rows;
  const std::string* node = nullptr;
  for (const auto& lane : timeline.lanes) {
    if (node == nullptr || *node != lane.node) rows.push_back({node = &lane.node, nullptr});
    rows.push_back({nullptr, &lane});
  }
  return rows;
}

/// The rectangle that shows a lane's spans.
struct Strip {
  float left;
  float top;
  float width;
  float height;
};

// A span narrower than a pixel is left out if its pixel is already drawn.
void draw_spans(const model::TraceLane& lane, const TimeAxis& axis, const Strip& strip) {
  auto* draw = ImGui::GetWindowDrawList();
  float drawn = strip.left - 1;
  float moments_drawn = strip.left - 2;
  for (const auto& span : lane.between(nanoseconds_of(axis.begin), nanoseconds_of(axis.end))) {
    const auto from =
        strip.left + strip.width * static_cast<float>(axis.share_of(seconds_of(span.begin)));
    if (span.is_moment()) {
      if (from < moments_drawn + 1 || from < strip.left) continue;
      moments_drawn = std::round(from);
      draw->AddRectFilled(ImVec2(moments_drawn, strip.top),
                          ImVec2(moments_drawn + 1, strip.top + strip.height),
                          color_of_trace(span.kind));
      continue;
    }
    const auto to =
        strip.left + strip.width * static_cast<float>(axis.share_of(seconds_of(span.end)));
    const float begin = std::max(std::round(from), strip.left);
    const float end = std::min(std::max(std::round(to), begin + 1), strip.left + strip.width);
    if (end <= drawn || end <= begin) continue;
    drawn = end;
    const float inset =
        span.kind == telemetry::TraceKind::working ? 0 : std::round(strip.height * 0.3F);
    draw->AddRectFilled(ImVec2(begin, strip.top + inset),
                        ImVec2(end, strip.top + strip.height - inset), color_of_trace(span.kind));
  }
}

std::string span_words(const model::TraceLane& lane, const model::LaneSpan& span) {
  const double begin = seconds_of(span.begin);
  if (span.is_moment())
    return fmt::format("{} on {}\nlink {}: {} a part of frame {} at {:.6f} s", lane.name, lane.node,
                       span.link, model::to_string(span.kind), span.frame, begin);
  return fmt::format("{} on {}\n{} {} {} for {}\nfrom {:.6f} s to {:.6f} s", lane.name, lane.node,
                     model::to_string(span.kind),
                     span.kind == telemetry::TraceKind::working ? "on frame" : "before frame",
                     span.frame, milliseconds_text(span.end - span.begin), begin,
                     seconds_of(span.end));
}

void draw_row(const Row& row, const TimeAxis& axis, const Strip& strip, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const float x = strip.left - panel.px(kNames);
  const float line = std::round(strip.top + (strip.height - ImGui::GetFontSize()) / 2);
  if (row.node != nullptr) {
    draw->AddText(panel.fonts.strong, panel.fonts.strong->FontSize, ImVec2(x, line - panel.px(1)),
                  color::kText, row.node->c_str());
    return;
  }
  const ImVec4 clip(x, strip.top, strip.left - panel.px(6), strip.top + strip.height);
  draw->AddText(nullptr, 0, ImVec2(x + panel.px(10), line), color::kDim, row.lane->name.c_str(),
                nullptr, 0, &clip);
  draw->AddRectFilled(ImVec2(strip.left, strip.top + strip.height - 1),
                      ImVec2(strip.left + strip.width, strip.top + strip.height), color::kTrack);
  draw_spans(*row.lane, axis, {strip.left, strip.top + 2, strip.width, strip.height - 4});
}

void draw_span_under_mouse(const Row& row, const TimeAxis& axis, const Strip& strip) {
  if (row.lane == nullptr) return;
  const double share = static_cast<double>((ImGui::GetMousePos().x - strip.left) / strip.width);
  const auto reach =
      nanoseconds_of(axis.seconds() * static_cast<double>(kMomentReach / strip.width));
  const auto* span = row.lane->at(nanoseconds_of(axis.time_at(share)), reach);
  if (span != nullptr) tooltip(span_words(*row.lane, *span));
}

void draw_grid(const TimeAxis& axis, const Strip& strip, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const double step =
      nice_step(axis.seconds(), std::max(1, static_cast<int>(strip.width / panel.px(110))));
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 6);
  for (const double tick : ticks(axis.begin, axis.end, step)) {
    const float x = std::round(strip.left + strip.width * static_cast<float>(axis.share_of(tick)));
    draw->AddRectFilled(ImVec2(x, strip.top), ImVec2(x + 1, strip.top + strip.height),
                        color::kBorder);
    draw->AddText(ImVec2(x + panel.px(3), strip.top), color::kDim,
                  fmt::format("{:.{}f} s", tick, decimals).c_str());
  }
}

void apply(const PlotGesture& gesture, const model::Timeline& timeline, TimeAxis& axis) {
  const auto limits = limits_of(timeline);
  if (gesture.is_reset) {
    axis = {limits.begin, limits.end};
    return;
  }
  axis = dragged(axis, -gesture.dragged, limits);
  if (gesture.wheel != 0)
    axis = zoomed(axis, std::pow(kZoomStep, gesture.wheel), gesture.anchor, limits);
}

// The wheel zooms. With Shift it scrolls, as does the scroll bar at the right.
void scroll_by(PlotGesture& gesture, float row) {
  if (!ImGui::GetIO().KeyShift) return;
  ImGui::SetScrollY(ImGui::GetScrollY() - static_cast<float>(gesture.wheel) * row * 3);
  gesture.wheel = 0;
}

void draw_lanes(const std::shared_ptr<const model::Timeline>& shown, Panel& panel) {
  auto& axis = axis_of(shown, panel);
  const auto& timeline = *shown;
  const float row_height = panel.px(kRow);
  const auto head = ImGui::GetCursorScreenPos();
  const float names = panel.px(kNames);
  const auto room = ImGui::GetContentRegionAvail();
  draw_grid(axis, {head.x + names, head.y, room.x - names - panel.px(14), room.y}, panel);
  ImGui::SetCursorScreenPos(ImVec2(head.x, head.y + row_height));
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::BeginChild("lanes", ImVec2(0, 0), false, ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleColor();
  const auto rows = rows_of(timeline);
  const auto origin = ImGui::GetCursorScreenPos();
  const float width = room.x - names - panel.px(14);
  ImGui::SetCursorScreenPos(ImVec2(origin.x + names, origin.y));
  ImGui::InvisibleButton("all", ImVec2(width, std::max(row_height * static_cast<float>(rows.size()),
                                                       ImGui::GetWindowHeight() - panel.px(4))));
  const bool is_hovered = ImGui::IsItemHovered();
  auto gesture = gesture_over(origin.x + names, origin.x + names + width);
  scroll_by(gesture, row_height);
  const float top = ImGui::GetScrollY();
  const auto first = static_cast<std::size_t>(top / row_height);
  const auto last = std::min(
      rows.size(), first + static_cast<std::size_t>(ImGui::GetWindowHeight() / row_height) + 2);
  for (std::size_t i = first; i < last; ++i) {
    const Strip strip{origin.x + names, origin.y + row_height * static_cast<float>(i), width,
                      row_height};
    draw_row(rows[i], axis, strip, panel);
    const float mouse = ImGui::GetMousePos().y;
    if (is_hovered && mouse >= strip.top && mouse < strip.top + row_height)
      draw_span_under_mouse(rows[i], axis, strip);
  }
  ImGui::EndChild();
  if (gesture.is_any()) apply(gesture, timeline, axis);
}

void draw_problems(const model::TraceView& view) {
  for (const auto& problem : view.problems)
    text_cut(problem, ImGui::GetContentRegionAvail().x, color::kBad);
}

void draw_history_content(Panel& panel) {
  if (begin_panel("History: what each thread did", panel.fonts)) {
    title_legend(std::array{Meaning{"working", color::kGood}, Meaning{"starved", color::kWaiting},
                            Meaning{"blocked", color::kHeld}, Meaning{"sent", color::kAccent},
                            Meaning{"received", curve_color(5)},
                            Meaning{"released", color::kText}});
    const auto& view = *panel.view.trace;
    draw_take(view, panel);
    if (view.timeline != nullptr && view.state == TraceState::ready) draw_save(view, panel);
    draw_problems(view);
    ImGui::PushFont(panel.fonts.small);
    if (view.timeline != nullptr && !view.timeline->lanes.empty()) {
      text(clock_words(*view.timeline) +
               "; drag to move, wheel to zoom, Shift and wheel to scroll, double click for all of "
               "it",
           color::kDim);
      draw_lanes(view.timeline, panel);
    } else if (view.state == TraceState::none) {
      text("Each node keeps what its threads did in the last 15 seconds: take a trace to see it.",
           color::kDim);
    }
    ImGui::PopFont();
  }
  end_panel();
}

}  // namespace

void take_trace(Panel& panel) {
  panel.actions.emplace_back(session::TakeTrace{panel.state.history->seconds});
}

void draw_history_page(Panel& panel) {
  if (panel.view.trace == nullptr) return;
  const auto room = ImGui::GetWindowSize();
  const float gap = panel.px(kPanelGap);
  put({"history", {gap, 0}, {room.x - 2 * gap, room.y - gap}}, panel, draw_history_content);
}

}  // namespace submix::ui
