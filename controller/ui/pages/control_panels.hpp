// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

/// The panels of the page for control from outside.
namespace submix::ui {

void draw_osc_panel(Panel& panel);
void draw_tempo_panel(Panel& panel);
void draw_midi_devices_panel(Panel& panel);
void draw_mappings_panel(Panel& panel);
/// The messages received last.
void draw_heard_panel(Panel& panel);

}  // namespace submix::ui
