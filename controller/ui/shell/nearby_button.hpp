// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Buttons for PCs nearby: desks that this PC may join, or, on a desk, PCs that wait to be invited.
/// A press opens the dialog "Several PCs", with the keyboard at the code.

/// Whether there is such a PC. In the perform mode this PC joins no desk.
[[nodiscard]] bool can_meet_nearby(const Panel& panel);
/// Whether the dialog has not shown one of these PCs yet.
[[nodiscard]] bool is_nearby_new(const Panel& panel);

/// "Join studio …" in the bar of tabs, or fewer words in a narrow bar. The words stand out while
/// is_nearby_new().
void draw_nearby_button(ImVec2 right_top, float width, Panel& panel);
/// The same as an item of a menu.
void draw_nearby_item(Panel& panel);
/// The same as a large button with a sentence, for an almost empty page.
void draw_nearby_invitation(Panel& panel);

}  // namespace submix::ui
