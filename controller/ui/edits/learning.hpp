// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

/// Learning maps a target to the next MIDI control, key or OSC address that moves.
namespace submix::ui {

inline constexpr const char* kLearnTip =
    "Then move a MIDI fader, press a key of this keyboard, or send an OSC message";

/// Inside a popup: an item that starts learning for `target`, and an item for each mapped control,
/// which forgets the control.
void draw_learn_item(const input::Target& target, Panel& panel);
/// The same in the context menu of the last widget.
void draw_learn_popup(const input::Target& target, Panel& panel);
/// As draw_learn_item() for a parameter. A parameter of several numbers has an item for each
/// number.
void draw_learn_menu(const show::Port& slot, const std::string& parameter,
                     const show::ParameterValue& value, Panel& panel);
/// Remembers the last value that a person changed, for learn_touched().
void note_touched(const input::Target& target, Panel& panel);
void note_touched(const show::Port& slot, const std::string& parameter,
                  const show::ParameterValue& value, Panel& panel);

// For keys and the command palette.
void learn_touched(Panel& panel);
[[nodiscard]] bool can_learn_touched(const Panel& panel);

/// While learning, over everything else: the target, and how to stop.
void draw_learning_notice(Panel& panel);

}  // namespace submix::ui
