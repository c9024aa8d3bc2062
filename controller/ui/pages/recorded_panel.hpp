// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// A line for each recorder whose file is finished: its slot, PC and path. The path can be copied.
/// If the file is on this PC, its folder can be opened.
void draw_recorded(Panel& panel);

}  // namespace submix::ui
