// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string>

namespace submix::ui {

/// The command palette: finds a command by typing a part of its name.
struct CommandPaletteState {
  bool is_open = false;
  bool has_focus = false;  ///< the field was given the keyboard focus
  bool is_active = false;  ///< the field has the focus
  std::string query;
  int chosen = 0;           ///< index of the chosen entry
  int moved = 0;            ///< arrow keys since the last frame
  bool is_entered = false;  ///< Enter was pressed since the last frame
};

void draw_command_palette(Panel& panel);

}  // namespace submix::ui
