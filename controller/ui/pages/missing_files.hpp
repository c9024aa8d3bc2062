// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// Draws the question about the missing files of a show that is to be opened, if there is one. The
/// show that runs goes on meanwhile.
void draw_missing_files(Panel& panel);

}  // namespace submix::ui
