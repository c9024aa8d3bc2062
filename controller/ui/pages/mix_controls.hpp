// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/panel.hpp"

#include <string>
#include <string_view>
#include <variant>

/// The mix that the page Perform plays, and the controls that its panels share.
namespace submix::ui {

/// Made anew only when the show or the nodes' plugins have changed.
[[nodiscard]] const MixLayers& mix_of(Panel& panel);

/// A parameter's value by the show, else the plugin's initial one. Null: not known.
[[nodiscard]] const show::ParameterValue* value_of(const show::Port& slot,
                                                   std::string_view parameter, const Panel& panel);
/// The same of a text, a number or a switch. Null: not known, or of another type.
template <typename Type>
[[nodiscard]] const Type* value_as(const show::Port& slot, std::string_view parameter,
                                   const Panel& panel) {
  return std::get_if<Type>(value_of(slot, parameter, panel));
}

/// Where a number of the mixer is now: by the show, its oscillator or its fade.
[[nodiscard]] double number_now(const show::Port& mixer, std::string_view parameter, Panel& panel);

/// A slider from 0 to 1 for a number of a mixer, `value` now. A drag holds an oscillator of it. A
/// right click has the menu of parameters. The caller sets the width.
void draw_level(const show::Port& mixer, const std::string& parameter, double value,
                const char* format, Panel& panel);

/// The crossfader with its sides, and the master. Draws nothing for a mix without a "mix" slot.
void draw_mixer_panel(Panel& panel);

}  // namespace submix::ui
