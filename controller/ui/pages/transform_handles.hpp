// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The handles of the chosen effect, if it is "transform" or a text, over a picture of the mix: a drag
/// of the frame moves the layer or the text, one of a corner scales it, one of the knob above turns
/// the layer. `corner` and `size` are the picture's, on the screen.
void draw_transform_handles(ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
