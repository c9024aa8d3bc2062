// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The cue list: GO with what the next cue will change, a running follow-on, and all cues.
void draw_cues_panel(Panel& panel);

}  // namespace submix::ui
