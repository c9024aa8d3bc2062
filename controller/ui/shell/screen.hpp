// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Draws one frame: the top bar, the chosen page (or the page of an empty cluster), and the
/// overlays.
void draw_screen(Panel& panel);

}  // namespace submix::ui
