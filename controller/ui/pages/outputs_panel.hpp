// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// What draw_outputs() needs below the programme, in pixels; 0: the show has no output.
[[nodiscard]] float outputs_height(const Panel& panel);

/// A line for each output of the show: its name, PC and display, full screen or window, and rate.
/// The display is chosen from a list.
void draw_outputs(Panel& panel);

}  // namespace submix::ui
