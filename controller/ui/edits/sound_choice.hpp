// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// A list of the sound inputs. The show follows the chosen input.
void draw_sound_choice(const char* label, float width, Panel& panel);

}  // namespace submix::ui
