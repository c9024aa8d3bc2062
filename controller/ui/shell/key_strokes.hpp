// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/shell/commands.hpp"

/// Translates pressed keys to the keys of commands.
namespace submix::ui {

/// A pressed key, as SDL reports it.
struct KeyStroke {
  int key = 0;    ///< by the keyboard's layout: SDLK_z
  int place = 0;  ///< position on the keyboard: SDL_SCANCODE_Z
  int modifiers = 0;
};

/// On layouts without Latin letters, or without digits unless Shift is held, the position of the
/// key counts. The keypad's + and - count as the main keys. No key while Alt or the window
/// manager's key is held.
[[nodiscard]] KeyPress press_of(const KeyStroke& stroke);

/// Whether a dialog with a text field is open. The main window has all dialogs.
[[nodiscard]] bool has_main_dialog(const PanelState& state);

/// Whether people type into a dialog or the command palette.
[[nodiscard]] bool is_typed_into(const PanelState& state);

/// Closes the dialog, tour, help, large picture or field of a name that lies above all others.
/// False: there is none.
[[nodiscard]] bool close_topmost(PanelState& state);

/// Black-out, freeze, full screen and recording act on the output at once, also while people type
/// into a field.
[[nodiscard]] bool acts_while_typing(const KeyPress& press);

/// Whether the key moves among the controls or presses one, after F6.
[[nodiscard]] bool moves_among_controls(const KeyPress& press, const PanelState& state);

/// Whether the key may run a command now. While a dialog or the command palette is open, people
/// type text: then a letter, the space bar and F1 run nothing, unless acts_while_typing().
[[nodiscard]] bool is_heard(const KeyPress& press, const PanelState& state);

}  // namespace submix::ui
