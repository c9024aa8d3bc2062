// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/oscillator.hpp"

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <utility>

/// Widgets for performers. Sizes are in pixels of the window.
namespace submix::ui {

/// Draws the waveform, with a dot at the present `moment`.
void waveform(const show::Oscillator& oscillator, const show::Moment& moment, std::uint64_t seed,
              ImVec2 size);

struct Range {
  double from = 0.0;
  double to = 1.0;
};
/// Two handles on one line; the second may be left of the first. Returns the new ends while a
/// handle is dragged.
[[nodiscard]] std::optional<Range> range_slider(const char* id, Range value, Range limits,
                                                float width);

/// A round knob from 0 to 1. Dragging up or right and the mouse wheel turn it; Shift makes both
/// finer. Returns the new value while the knob is turned. Pressing Shift in the middle of a drag
/// does not make the value jump.
[[nodiscard]] std::optional<double> round_knob(const char* id, double value, float diameter);

struct DragField {
  const char* label;
  float speed;
  double minimum;
  double maximum;
  const char* format;
  ImGuiSliderFlags flags = 0;
};
/// A number that is dragged sideways, or typed after a double click. The number follows the mouse
/// even if the show confirms the new value late. Returns the new value, within the limits, while it
/// changes.
[[nodiscard]] std::optional<double> drag_number(const DragField& field, double value);

}  // namespace submix::ui
