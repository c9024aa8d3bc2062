// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The question before the window closes.
struct QuitState {
  bool has_nats = false;   ///< the window has started the NATS server, and ends it
  bool is_wanted = false;  ///< a person wants to quit, and may be asked
  bool is_sure = false;    ///< the window closes
};

/// Asks before the window ends a server or node that the show needs.
void draw_quit_question(Panel& panel);

}  // namespace submix::ui
