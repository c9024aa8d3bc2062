// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/output_views.hpp"
#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The list of displays of the PC that shows `output`, with resolution and rate. The output goes to
/// the chosen display, which the show knows by its name. The caller sets the width.
void draw_display_choice(const model::OutputView& output, Panel& panel);

/// A button that is lit while the output covers its display, or waits for its display to cover it.
void draw_full_screen(const model::OutputView& output, Panel& panel);

}  // namespace submix::ui
