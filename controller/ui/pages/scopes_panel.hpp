// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/session_core.hpp"
#include "controller/ui/panel.hpp"

#include <array>

namespace submix::ui {

/// What the scopes have drawn of the newest picture.
struct ScopesState {
  bool are_shown = false;  ///< beside the wall of the page Monitor
  session::Picture source;
  std::array<session::Picture, 3> drawn;  ///< by ScopeKind
  double black = 0;                       ///< part of the pixels
  double white = 0;                       ///< part of the pixels that a colour clips
};

/// Waveform, vectorscope and histogram of the picture that is chosen in PanelState::picture, one
/// below the other, with the choice.
void draw_scopes_panel(Panel& panel);

}  // namespace submix::ui
