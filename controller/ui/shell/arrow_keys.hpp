// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <optional>

/// Every control without a mouse, after F6: Dear ImGui's keyboard navigation, for the present
/// context.
namespace submix::ui {

/// Lets the arrow keys move among all controls. The space bar then presses a control, and Enter
/// types a value into it.
void let_arrow_keys_move(bool on);

/// The middle of the control that the arrow keys have reached. Empty: none.
[[nodiscard]] std::optional<ImVec2> control_of_arrow_keys();

}  // namespace submix::ui
