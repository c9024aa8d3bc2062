// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Recent failures of this controller, and faults and finished recordings from anywhere, over
/// everything else.
void draw_notices(Panel& panel);

}  // namespace submix::ui
