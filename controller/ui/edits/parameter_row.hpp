// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/cluster/messages.hpp"
#include "common/show/document.hpp"
#include "controller/ui/panels.hpp"

namespace submix::ui {

/// One parameter of one slot, as it is shown and changed.
struct ParameterRow {
  show::Port slot;
  cluster::ParameterSummary parameter;
  show::ParameterValue value;
  bool is_stated = false;  ///< by the show; else it is the plugin's own initial value
  bool is_output = false;  ///< whose parameters stand still
  const show::Oscillator* oscillator = nullptr;  ///< null: it has none
};

/// A slot's parameters, a row each: slider, switch, choice, text or colours; or the oscillator that moves it.
void draw_parameters(const show::Port& port, const show::Slot& slot, Panel& panel);

}  // namespace submix::ui
