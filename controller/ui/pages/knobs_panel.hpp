// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The show's tempo, the sound that it follows, and its knobs.
void draw_knobs_panel(Panel& panel);

}  // namespace submix::ui
