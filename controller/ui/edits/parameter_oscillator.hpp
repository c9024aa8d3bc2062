// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/edits/parameter_row.hpp"

namespace submix::ui {

/// Whether the parameter is a number that an oscillator may move.
[[nodiscard]] bool may_oscillate(const ParameterRow& row, const Panel& panel);

/// A context menu of the last widget: reset the parameter, oscillate it, put it on a knob or into a
/// cue.
void draw_parameter_menu(const ParameterRow& row, Panel& panel);
/// A small on/off button at the right end of the cell.
void draw_oscillator_switch(const ParameterRow& row, Panel& panel);
/// Replaces the slider: the waveform with a dot at the present moment, the period, and both ends of
/// the range.
void draw_oscillator(const ParameterRow& row, Panel& panel);

}  // namespace submix::ui
