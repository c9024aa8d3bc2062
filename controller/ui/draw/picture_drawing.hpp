// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Draws the newest picture of `key`, whole and in the middle of a black ground, in coordinates of
/// the screen. Asks for newer ones as long as it is called in each frame.
void draw_picture(const session::PictureKey& key, ImVec2 corner, ImVec2 size, Panel& panel);

}  // namespace submix::ui
