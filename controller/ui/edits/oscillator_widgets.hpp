// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/oscillator.hpp"

#include <imgui.h>

#include <cstdint>
#include <optional>
#include <utility>

/// What performers turn and look at. Sizes are in pixels of the window.
namespace submix::ui {

/// A course of the waveform, and a dot where `moment` is on it.
void waveform(const show::Oscillator& oscillator, const show::Moment& moment, std::uint64_t seed,
              ImVec2 size);

/// Two handles on one line; the second may be left of the first. The new ends while one is dragged.
struct Range {
  double from = 0.0;
  double to = 1.0;
};
[[nodiscard]] std::optional<Range> range_slider(const char* id, Range value, Range limits,
                                                float width);

/// A round knob, 0 to 1: dragged up or right it grows, the wheel turns it, with Shift finely. The new value
/// while it is turned; Shift counts from where it is pressed on.
[[nodiscard]] std::optional<double> round_knob(const char* id, double value, float diameter);

/// A number that is dragged sideways, or typed after a double click. It follows the hand however late the
/// show says its new value. The new value, within the limits, while it changes.
struct DragField {
  const char* label;
  float speed;
  double minimum;
  double maximum;
  const char* format;
  ImGuiSliderFlags flags = 0;
};
[[nodiscard]] std::optional<double> drag_number(const DragField& field, double value);

}  // namespace submix::ui
