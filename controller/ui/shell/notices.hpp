// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// How low a card over the page may end. On the page Perform the faders and the outputs stay in
/// view.
[[nodiscard]] float bottom_of_page(const Panel& panel);

/// Recent failures of this controller, and faults and finished recordings from anywhere, over
/// everything else.
void draw_notices(Panel& panel);

}  // namespace submix::ui
