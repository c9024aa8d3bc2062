// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"
#include "controller/ui/plots/decimate.hpp"
#include "controller/ui/plots/time_axis.hpp"

#include <imgui.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// Curves over time. Several plots below each other share an axis and a cursor.
namespace submix::ui {

struct Curve {
  std::string name;
  ImU32 color = 0;
  std::function<float(std::int64_t tick)> sample;  ///< NaN: nothing was measured
};

struct PlotFrame {
  const char* title = "";
  const char* unit = "";  ///< "MB/s"
  std::span<const Curve> curves;
};

/// What the plots of one page share.
struct PlotView {
  TimeAxis axis;  ///< in seconds of the monotonic clock
  double seconds_per_tick = 0.1;
  double day_offset = 0;         ///< to be added for seconds of a day
  std::optional<double> cursor;  ///< where the mouse is: in this frame, in whichever plot
};

/// What the mouse did to the axis.
struct PlotGesture {
  double dragged = 0;     ///< shares of the axis, to the right
  double wheel = 0;       ///< notches, up
  double anchor = 1;      ///< where the wheel was turned, 0 to 1
  bool is_reset = false;  ///< double click: run on

  [[nodiscard]] bool is_any() const { return dragged != 0 || wheel != 0 || is_reset; }
};

/// One plot with its legend; `hovered` becomes the time below the mouse, where that is over it.
[[nodiscard]] PlotGesture draw_time_plot(const PlotFrame& frame, const PlotView& view, ImVec2 size,
                                         Panel& panel, std::optional<double>& hovered);

/// What the mouse does over the widget before it, which shows the axis from `left` to `right`.
[[nodiscard]] PlotGesture gesture_over(float left, float right);

/// What is left of the curves, for the figures of the axis.
[[nodiscard]] float plot_margin(const Panel& panel);
/// Distinguishable, also for the colour-blind (after Okabe and Ito), in both themes.
[[nodiscard]] ImU32 curve_color(std::size_t index);
/// Ticks with times of day in a line of text below `corner`.
void draw_time_labels(const PlotView& view, ImVec2 corner, float width, Panel& panel);

}  // namespace submix::ui
