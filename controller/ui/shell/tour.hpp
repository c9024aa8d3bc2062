// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The tour: five steps, each a bubble with an arrow at a real control. It begins by itself on the
/// first start, once there is a show. Only clicks on the bubble go to the tour. Escape, "Leave the
/// tour" and the perform mode end it.
void draw_tour(Panel& panel);
void begin_tour(Panel& panel);
[[nodiscard]] bool can_begin_tour(const Panel& panel);

}  // namespace submix::ui
