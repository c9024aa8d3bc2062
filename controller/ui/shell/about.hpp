// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"
#include "controller/ui/shell/responsiveness.hpp"

namespace submix::ui {

/// The version and the window's speed, at the top right of the list of keys.
void draw_about(const FrameMeter& meter, Panel& panel);

}  // namespace submix::ui
