// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The show, pause and step, undo and redo, the rate, and the verdict.
void draw_top_bar(Panel& panel);

}  // namespace submix::ui
