// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The show's name in the top bar. A press opens the menu of files.
void draw_show_menu(float width, Panel& panel);

}  // namespace submix::ui
