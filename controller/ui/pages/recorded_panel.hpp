// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The menu of the last widget: a line for each recorder whose file is finished, with its slot, PC
/// and path. The path can be copied. If the file is on this PC, its folder can be opened.
void draw_recorded_menu(Panel& panel);

}  // namespace submix::ui
