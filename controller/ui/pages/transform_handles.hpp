// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Draws handles over a picture of the mix, if the chosen effect is "transform" or a text. The
/// frame moves the layer or the text, a corner scales it, and the knob above the frame turns the
/// layer. `corner` and `size` are the picture's, on the screen.
void draw_transform_handles(ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
