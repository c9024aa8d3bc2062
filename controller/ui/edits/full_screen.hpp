// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/output_views.hpp"
#include "controller/ui/panel.hpp"

/// Buttons and keys for full screen, over model::FullScreenSwitch.
namespace submix::ui {

[[nodiscard]] bool is_full_screen(const model::OutputView& output, const Panel& panel);
[[nodiscard]] bool is_any_full_screen(const Panel& panel);
/// Switches all outputs: into windows if any is full screen. A show without an output gets one.
void switch_full_screen(Panel& panel);
/// Switches one output.
void switch_full_screen(const model::OutputView& output, Panel& panel);
/// Ends a switch that is due. Once a frame.
void finish_full_screen(Panel& panel);

}  // namespace submix::ui
