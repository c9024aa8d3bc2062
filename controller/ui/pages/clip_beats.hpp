// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/pages/clip_bank.hpp"
#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Whether the clip follows the beats of the show instead of its speed.
[[nodiscard]] bool is_synced(const ClipDeck& deck, const Panel& panel);
/// How fast the clip plays: 1 is as it was recorded.
[[nodiscard]] double played_speed(const ClipDeck& deck, const Panel& panel);
/// A list of beats that the clip can last, as wide as the rest of the line.
void draw_clip_sync(const ClipDeck& deck, Panel& panel);
/// Whether the clip loops, and buttons for loops of some beats.
void draw_clip_loop(const ClipDeck& deck, Panel& panel);

}  // namespace submix::ui
