// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The first slot of a submix that plays a clip. Null: none.
[[nodiscard]] const show::Slot* clip_of(const show::Submix& submix);
/// Whether the chosen layer plays a clip.
[[nodiscard]] bool has_clip(const Panel& panel);
/// The deck of the chosen layer's clip: its file, play and pause, speed, loop, and a bar to seek in
/// and to set its ends.
void draw_clip_panel(Panel& panel);

}  // namespace submix::ui
