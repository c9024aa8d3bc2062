// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Other PCs that can be met now: desks that this PC may join, or, on a desk, PCs that wait to be
/// invited. A press opens the dialog "Several PCs", with the keyboard at the code.

/// In the perform mode this PC joins nobody.
[[nodiscard]] bool can_meet_nearby(const Panel& panel);
/// Whether the dialog has not listed one of them yet.
[[nodiscard]] bool is_nearby_new(const Panel& panel);

/// "Join studio …" in the bar of tabs, or fewer words, as the width allows. Its words stand out
/// while somebody is new.
void draw_nearby_button(ImVec2 right_top, float width, Panel& panel);
/// As an item of a menu.
void draw_nearby_item(Panel& panel);
/// As a large button with a sentence, for a page that has little else to show.
void draw_nearby_invitation(Panel& panel);

}  // namespace submix::ui
