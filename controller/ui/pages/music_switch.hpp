// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The switch that lets the show's tempo follow the music, and what it does now.
void draw_music_switch(Panel& panel);

}  // namespace submix::ui
