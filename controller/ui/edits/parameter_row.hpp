// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "controller/ui/panel.hpp"

namespace submix::ui {

/// One parameter of one slot, as the window shows and changes it.
struct ParameterRow {
  show::Port slot;
  cluster::ParameterSummary parameter;
  show::ParameterValue value;
  /// The show states a value; else the plugin's own initial value is shown.
  bool is_stated = false;
  bool is_output = false;                        ///< an output slot's parameters do not oscillate
  const show::Oscillator* oscillator = nullptr;  ///< null: none
};

/// Draws a row for each parameter of a slot: a slider, switch, choice, text or colours, or its
/// oscillator.
void draw_parameters(const show::Port& port, const show::Slot& slot, Panel& panel);

/// A context menu for the last widget, which shows the parameter. It resets or oscillates the
/// parameter, puts it on a knob or into a cue, and learns MIDI for it.
void draw_parameter_menu(const show::Port& port, const std::string& parameter, Panel& panel);

}  // namespace submix::ui
