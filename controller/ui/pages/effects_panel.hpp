// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The effects of the chosen submix in the order in which its frames pass them: on or off, added,
/// moved and deleted, with the parameters of the chosen one.
void draw_effects_panel(Panel& panel);

}  // namespace submix::ui
