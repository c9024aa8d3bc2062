// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// What draw_outputs() needs below the programme, in pixels; 0: there is nothing to show, or a
/// button in the bar of tabs shows it.
[[nodiscard]] float outputs_height(const Panel& panel);

/// A line for each output of the show: its name, PC and display, full screen or window, and rate.
/// The display is chosen from a list.
void draw_outputs(Panel& panel);

/// Whether the main window is so low that the outputs are behind a button in its bar of tabs.
[[nodiscard]] bool has_outputs_button(const Panel& panel);
/// That button; its words have the colour of a warning where an output is not what it should be.
void draw_outputs_button(Panel& panel);
[[nodiscard]] float outputs_button_width();

}  // namespace submix::ui
