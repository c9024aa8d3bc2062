// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// A list of all pictures of the show in a panel's title, at its right end. Changes
/// PanelState::picture.
void draw_picture_choice(Panel& panel);

}  // namespace submix::ui
