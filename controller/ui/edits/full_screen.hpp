// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/output_views.hpp"
#include "controller/ui/panel.hpp"

/// Switches of full screen, by what people see.
///
/// An output obeys the show's parameter when it changes, and its own keys at any time. After such a
/// key the parameter may have the wanted value already. A switch then writes the contrary first, and
/// the wanted value when the outputs' nodes have taken that up.
namespace submix::ui {

/// Whether the output is switched to full screen; by the show, until its node can have obeyed.
[[nodiscard]] bool is_full_screen(const model::OutputView& output, const Panel& panel);
[[nodiscard]] bool is_any_full_screen(const Panel& panel);
/// Switches all outputs: into windows if any is full screen. A show without an output gets one.
void switch_full_screen(Panel& panel);
/// Switches one output.
void switch_full_screen(const model::OutputView& output, Panel& panel);
/// Writes the wanted value, if it is due. Once a frame.
void finish_full_screen(Panel& panel);

}  // namespace submix::ui
