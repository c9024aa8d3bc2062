// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/shell/commands.hpp"

/// What a key of the keyboard means to the window: which command's key it is, and whether it is one now.
namespace submix::ui {

/// A key that went down, as SDL tells it.
struct KeyStroke {
  int key = 0;    ///< what the keyboard's layout makes of it: SDLK_z
  int place = 0;  ///< where it is: SDL_SCANCODE_Z
  int modifiers = 0;
};

/// Where the layout has no Latin letters, or no digits without Shift, the place counts; the keypad's + and -
/// are those of the letters' block. No key while Alt or the window manager's key is held.
[[nodiscard]] KeyPress press_of(const KeyStroke& stroke);

/// Whether a command may be run by it. While a dialog or the palette is open, people type: then a letter, a
/// blank or F1 runs nothing.
[[nodiscard]] bool is_heard(const KeyPress& press, const PanelState& state);

}  // namespace submix::ui
