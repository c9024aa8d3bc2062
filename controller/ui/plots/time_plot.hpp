// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"
#include "controller/ui/plots/decimate.hpp"
#include "controller/ui/plots/time_axis.hpp"

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Curves over time. The plots of a page share an axis and a cursor.
namespace submix::ui {

struct Curve {
  std::string name;
  ImU32 color = 0;
  std::function<float(std::int64_t tick)> sample;  ///< NaN: no measurement
};

struct PlotFrame {
  const char* title = "";
  const char* unit = "";  ///< "MB/s"
  std::span<const Curve> curves;
};

/// Shared by the plots of one page.
struct PlotView {
  TimeAxis axis;  ///< in seconds of the monotonic clock
  double seconds_per_tick = 0.1;
  double day_offset = 0;         ///< add it to get seconds of the day
  std::optional<double> cursor;  ///< time at the mouse in this frame, over any of the plots
};

inline constexpr double kZoomStep = 0.8;  ///< of the axis, for each notch of the wheel

/// The effect of the mouse on the axis.
struct PlotGesture {
  double dragged = 0;     ///< share of the axis, to the right
  double wheel = 0;       ///< notches, upwards
  double anchor = 1;      ///< place of the mouse on the axis, 0 to 1
  bool is_reset = false;  ///< double click: run on

  [[nodiscard]] bool is_any() const { return dragged != 0 || wheel != 0 || is_reset; }
};

/// Draws one plot with its legend. Sets `hovered` to the time at the mouse if the mouse is over the
/// plot.
[[nodiscard]] PlotGesture draw_time_plot(const PlotFrame& frame, const PlotView& view, ImVec2 size,
                                         Panel& panel, std::optional<double>& hovered);

/// The mouse's effect on the last widget, which shows the axis from `left` to `right`.
[[nodiscard]] PlotGesture gesture_over(float left, float right);

/// Width left of the curves, for the figures of the axis.
[[nodiscard]] float plot_margin(const Panel& panel);
/// Colours that colour-blind people can distinguish (after Okabe and Ito), in both themes.
[[nodiscard]] ImU32 curve_color(std::size_t index);
/// Ticks with times of day in a line of text below `corner`.
void draw_time_labels(const PlotView& view, ImVec2 corner, float width, Panel& panel);

}  // namespace submix::ui
