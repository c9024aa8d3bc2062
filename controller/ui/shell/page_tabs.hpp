// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Draws the tabs of all pages into the current child window.
void draw_page_tabs(Panel& panel);

}  // namespace submix::ui
