// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

void draw_presets_panel(Panel& panel);

}  // namespace submix::ui
