// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The picture of the mix, from the cursor on. The handles of the chosen layer and the state of the
/// outputs lie on it.
void draw_mix_picture(ImVec2 room, Panel& panel);
/// The same picture as large as the panel allows, with the outputs below it.
void draw_programme_panel(Panel& panel);
/// The layers of the mix side by side, the lowest first: picture, state, fader, blend and side of
/// each, and a button to add one.
void draw_layers_panel(Panel& panel);

}  // namespace submix::ui
