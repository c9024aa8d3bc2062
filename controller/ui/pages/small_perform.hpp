// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The page Perform in a small window: one of its panels, and a button for each at the left.
void draw_small_perform_page(Panel& panel);

}  // namespace submix::ui
