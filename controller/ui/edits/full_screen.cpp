// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/full_screen.hpp"

#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/edits/perform_edits.hpp"
#include "controller/ui/edits/perform_state.hpp"

namespace submix::ui {

bool is_full_screen(const model::OutputView& output, const Panel& panel) {
  return panel.state.perform->full_screen.is_full(output, panel.view);
}

bool is_any_full_screen(const Panel& panel) {
  return panel.state.perform->full_screen.is_any_full(panel.view);
}

void switch_full_screen(Panel& panel) {
  auto& full_screen = panel.state.perform->full_screen;
  const bool is_wanted = !full_screen.is_any_full(panel.view);
  const auto edit = full_screen.turn_all(is_wanted, shown_mix(panel), panel.view);
  // A first output is an edit that the planner may refuse.
  edit_show(edit, full_screen.is_begun() ? Gesture::begin : Gesture::none, panel);
}

void switch_full_screen(const model::OutputView& output, Panel& panel) {
  auto& full_screen = panel.state.perform->full_screen;
  const bool is_wanted = !full_screen.is_full(output, panel.view);
  edit_show(full_screen.turn(output, is_wanted, panel.view), Gesture::begin, panel);
}

void finish_full_screen(Panel& panel) {
  if (const auto edit = panel.state.perform->full_screen.finish(panel.view))
    edit_show(*edit, Gesture::go_on, panel);
}

}  // namespace submix::ui
