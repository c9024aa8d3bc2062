// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/time_plot.hpp"

#include "controller/ui/draw/widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace submix::ui {
namespace {

constexpr std::array kOnDark{IM_COL32(86, 180, 233, 255),  IM_COL32(230, 159, 0, 255),
                             IM_COL32(0, 190, 140, 255),   IM_COL32(240, 228, 66, 255),
                             IM_COL32(230, 110, 50, 255),  IM_COL32(214, 138, 190, 255),
                             IM_COL32(150, 160, 255, 255), IM_COL32(200, 200, 200, 255)};
constexpr std::array kOnLight{IM_COL32(0, 96, 160, 255),  IM_COL32(176, 106, 0, 255),
                              IM_COL32(0, 122, 90, 255),  IM_COL32(132, 122, 0, 255),
                              IM_COL32(186, 66, 10, 255), IM_COL32(160, 60, 130, 255),
                              IM_COL32(70, 70, 200, 255), IM_COL32(90, 90, 90, 255)};

constexpr float kColumnPixels = 2;  // two pixels: half the work, and calmer to look at
constexpr int kBridgedColumns = 4;  // bridges the gap of a reading that came late
constexpr double kTicksBridged = 3.5;

/// The rectangle of the curves.
struct Area {
  ImVec2 corner;
  ImVec2 size;
  double maximum = 1;

  [[nodiscard]] float right() const { return corner.x + size.x; }
  [[nodiscard]] float bottom() const { return corner.y + size.y; }
  [[nodiscard]] float y_of(float value) const {
    const double share = std::clamp(static_cast<double>(value) / maximum, 0.0, 1.0);
    return std::round(bottom() - 1 - static_cast<float>(share) * (size.y - 2));
  }
};

TickRange range_of(const PlotView& view) {
  return {view.axis.begin / view.seconds_per_tick, view.axis.end / view.seconds_per_tick};
}

// Columns farther apart are not joined by a line.
std::size_t bridged_columns(const PlotView& view, std::size_t count) {
  const auto range = range_of(view);
  const double columns_per_tick = static_cast<double>(count) / (range.end - range.begin);
  return static_cast<std::size_t>(
      std::max<double>(kBridgedColumns, kTicksBridged * columns_per_tick));
}

void draw_curve(const std::vector<Column>& columns, std::size_t bridged, const Area& area,
                ImU32 color) {
  auto* draw = ImGui::GetWindowDrawList();
  std::optional<std::size_t> before;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& column = columns[i];
    if (!column.has_any) continue;
    const float x = area.corner.x + static_cast<float>(i) * kColumnPixels;
    const float top = area.y_of(column.greatest);
    const float bottom = area.y_of(column.least);
    draw->AddRectFilled(ImVec2(x, top), ImVec2(x + kColumnPixels, std::max(bottom, top + 1) + 1),
                        color);
    if (before && i - *before <= bridged) {
      const float from_x = area.corner.x + static_cast<float>(*before + 1) * kColumnPixels;
      draw->AddLine(ImVec2(from_x, area.y_of(columns[*before].last) + 0.5F),
                    ImVec2(x, area.y_of(column.first) + 0.5F), color, 1.5F);
    }
    before = i;
  }
}

std::string figure_text(double value, double maximum) {
  if (maximum >= 1000) return fmt::format("{:.0f}", value);
  if (maximum >= 20) return fmt::format("{:.1f}", value);
  return fmt::format("{:.{}f}", value, maximum >= 1 ? 2 : 3);
}

void draw_grid(const PlotView& view, const Area& area, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(area.corner, ImVec2(area.right(), area.bottom()), color::kBackground);
  const double step =
      nice_step(area.maximum, std::max(1, static_cast<int>(area.size.y / panel.px(26))));
  for (const double value : ticks(0, area.maximum, step)) {
    const float y = area.y_of(static_cast<float>(value));
    draw->AddRectFilled(ImVec2(area.corner.x, y), ImVec2(area.right(), y + 1), color::kBorder);
    const auto words = fmt::format("{:g}", value);
    const float top = std::clamp(y - ImGui::GetFontSize() / 2, area.corner.y - panel.px(2),
                                 area.bottom() - ImGui::GetFontSize());
    draw->AddText(ImVec2(area.corner.x - panel.px(6) - width_of(words), top), color::kDim,
                  words.c_str());
  }
  const double time_step = nice_time_step(
      view.axis.seconds(), std::max(1, static_cast<int>(area.size.x / panel.px(90))));
  for (const double time :
       ticks(view.axis.begin + view.day_offset, view.axis.end + view.day_offset, time_step)) {
    const auto share = static_cast<float>(view.axis.share_of(time - view.day_offset));
    const float x = std::round(area.corner.x + share * area.size.x);
    draw->AddRectFilled(ImVec2(x, area.corner.y), ImVec2(x + 1, area.bottom()), color::kBorder);
  }
}

// The nearest sample at or before `time`. NaN if none is close.
float value_at(const Curve& curve, const PlotView& view, double time) {
  const auto tick = static_cast<std::int64_t>(std::floor(time / view.seconds_per_tick));
  for (std::int64_t back = 0; back < 4; ++back) {
    const float value = curve.sample(tick - back);
    if (!std::isnan(value)) return value;
  }
  return std::nanf("");
}

void draw_legend(const PlotFrame& frame, const PlotView& view, double maximum, Panel& panel) {
  text_in(panel.fonts.strong, frame.title);
  ImGui::SameLine();
  text(frame.unit, color::kDim);
  const double time = view.cursor.value_or(view.axis.end);
  for (const auto& curve : frame.curves) {
    const float value = value_at(curve, view, time);
    const auto figure = std::isnan(value) ? std::string("-") : figure_text(value, maximum);
    const float width =
        badge_width(curve.name) + ImGui::CalcTextSize(figure.c_str()).x + panel.px(26);
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) {
      text("...", color::kDim);
      break;
    }
    badge(curve.name, curve.color);
    ImGui::SameLine(0, panel.px(6));
    text(figure);
  }
}

double greatest_of(const std::vector<std::vector<Column>>& curves) {
  float greatest = 0;
  for (const auto& columns : curves) {
    for (const auto& column : columns)
      greatest = std::max(greatest, column.greatest);
  }
  return greatest;
}

}  // namespace

ImU32 curve_color(std::size_t index) {
  const bool is_light = color::kPanel == kLightScheme.panel;
  return is_light ? kOnLight[index % kOnLight.size()] : kOnDark[index % kOnDark.size()];
}

float plot_margin(const Panel& panel) {
  return panel.px(52);
}

PlotGesture gesture_over(float left, float right) {
  PlotGesture gesture;
  const auto& io = ImGui::GetIO();
  const float width = std::max(1.0F, right - left);
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 2)) {
    gesture.dragged = static_cast<double>(io.MouseDelta.x / width);
  }
  if (!ImGui::IsItemHovered()) return gesture;
  gesture.wheel = static_cast<double>(io.MouseWheel);
  gesture.anchor = std::clamp(static_cast<double>((io.MousePos.x - left) / width), 0.0, 1.0);
  gesture.is_reset = ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
  return gesture;
}

PlotGesture draw_time_plot(const PlotFrame& frame, const PlotView& view, ImVec2 size, Panel& panel,
                           std::optional<double>& hovered) {
  const float margin = plot_margin(panel);
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const auto top = ImGui::GetCursorScreenPos();
  Area area{{top.x + margin, top.y + line}, {size.x - margin, size.y - line - panel.px(6)}};
  const auto count = static_cast<std::size_t>(std::max(1.0F, area.size.x / kColumnPixels));
  std::vector<std::vector<Column>> curves;
  for (const auto& curve : frame.curves)
    curves.push_back(decimated(curve.sample, range_of(view), count));
  area.maximum = nice_maximum(greatest_of(curves));
  draw_legend(frame, view, area.maximum, panel);
  draw_grid(view, area, panel);
  auto* draw = ImGui::GetWindowDrawList();
  draw->PushClipRect(area.corner, ImVec2(area.right(), area.bottom()), true);
  for (std::size_t i = 0; i < curves.size(); ++i)
    draw_curve(curves[i], bridged_columns(view, count), area, frame.curves[i].color);
  if (view.cursor) {
    const float x = std::round(area.corner.x +
                               static_cast<float>(view.axis.share_of(*view.cursor)) * area.size.x);
    draw->AddRectFilled(ImVec2(x, area.corner.y), ImVec2(x + 1, area.bottom()), color::kText);
  }
  draw->PopClipRect();
  ImGui::SetCursorScreenPos(area.corner);
  ImGui::InvisibleButton(frame.title, area.size);
  const auto gesture = gesture_over(area.corner.x, area.right());
  if (ImGui::IsItemHovered()) hovered = view.axis.time_at(gesture.anchor);
  ImGui::SetCursorScreenPos(ImVec2(top.x, top.y + size.y));
  return gesture;
}

void draw_time_labels(const PlotView& view, ImVec2 corner, float width, Panel& panel) {
  auto* draw = ImGui::GetWindowDrawList();
  const double step =
      nice_time_step(view.axis.seconds(), std::max(1, static_cast<int>(width / panel.px(90))));
  for (const double time :
       ticks(view.axis.begin + view.day_offset, view.axis.end + view.day_offset, step)) {
    const auto words = time_of_day_text(time, step);
    const auto share = static_cast<float>(view.axis.share_of(time - view.day_offset));
    const float half = width_of(words) / 2;
    const float x =
        std::clamp(corner.x + share * width - half, corner.x - half, corner.x + width - 2 * half);
    draw->AddText(ImVec2(std::round(x), corner.y), color::kDim, words.c_str());
  }
}

}  // namespace submix::ui
