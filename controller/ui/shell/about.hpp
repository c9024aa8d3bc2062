// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"
#include "controller/ui/shell/responsiveness.hpp"

namespace submix::ui {

/// Shown with the list of keys, at the top right: the version, and how quick the window is.
void draw_about(const FrameMeter& meter, Panel& panel);

}  // namespace submix::ui
