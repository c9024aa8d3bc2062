// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/edits/parameter_row.hpp"

namespace submix::ui {

/// Whether it is a number that an oscillator may move.
[[nodiscard]] bool may_oscillate(const ParameterRow& row, const Panel& panel);

/// For the name before it: a right click resets, oscillates, and puts the parameter on a knob or into a cue.
void draw_parameter_menu(const ParameterRow& row, Panel& panel);
/// A small button at the right end of the cell: on, off.
void draw_oscillator_switch(const ParameterRow& row, Panel& panel);
/// In place of the slider: the waveform with where it is now, its period, and the two ends of its range.
void draw_oscillator(const ParameterRow& row, Panel& panel);

}  // namespace submix::ui
