// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

namespace submix::ui {

/// One frame: all panels in their places on the whole window, or the page for an empty cluster.
void draw_layout(Panel& panel);

/// The pictures that are on the screen.
[[nodiscard]] std::vector<session::PictureKey> pictures_shown(const Panel& panel);

}  // namespace submix::ui
