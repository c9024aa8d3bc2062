// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string>
#include <string_view>

namespace submix::ui {

/// As the page Perform says it: `node "right"` is `PC "right"` there, a submix is a layer, and a
/// slot an effect.
[[nodiscard]] std::string stage_words(std::string_view text);

/// Recent failures of this controller, and faults and finished recordings from anywhere, over
/// everything else.
void draw_notices(Panel& panel);

}  // namespace submix::ui
