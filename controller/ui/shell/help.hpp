// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The list of keys, over everything else.
void draw_help(Panel& panel);
/// Replaces the page while there is no node: how to start nodes.
void draw_empty_page(Panel& panel);
/// Replaces the page while there are nodes but no show.
void draw_showless_page(Panel& panel);

}  // namespace submix::ui
