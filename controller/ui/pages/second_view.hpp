// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/ui/panel.hpp"

namespace submix::ui {

/// The second window, as the preferences keep it.
struct SecondPlace {
  SecondView view = SecondView::none;  ///< none: it is closed
  bool is_placed = false;              ///< x and y are known
  int x = 0;                           ///< on the desktop
  int y = 0;
  Size size{960, 540};
  bool is_fullscreen = false;

  friend bool operator==(const SecondPlace&, const SecondPlace&) = default;
};

/// Fills the current ImGui window with the programme, or with the wall of the page Monitor. The
/// pictures are those that the main window asks for, too. A programme is black in a black-out.
void draw_second_view(Panel& panel);
/// A button with the menu that opens and closes the second window.
void draw_second_window_button(Panel& panel);
[[nodiscard]] float second_window_button_width();
/// Shows `view` in the second window, or closes the window if it shows that already.
void toggle_second_view(SecondView view, Panel& panel);

}  // namespace submix::ui
