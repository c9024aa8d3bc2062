// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

/// Learning a MIDI control for a value where that value stands: the next control that moves gets it.
namespace submix::ui {

/// Inside a popup: starts learning for this target.
void draw_learn_item(const input::Target& target, Panel& panel);
/// The same for a parameter; one that has several numbers is learnt number by number.
void draw_learn_menu(const show::Port& slot, const std::string& parameter,
                     const show::ParameterValue& value, Panel& panel);
/// A hand has moved it: what the command below is about.
void note_touched(const input::Target& target, Panel& panel);
void note_touched(const show::Port& slot, const std::string& parameter,
                  const show::ParameterValue& value, Panel& panel);

// For keys and the palette.
void learn_touched(Panel& panel);
[[nodiscard]] bool can_learn_touched(const Panel& panel);

/// While something is learnt, over everything else: for what, and how to stop.
void draw_learning_notice(Panel& panel);

}  // namespace submix::ui
