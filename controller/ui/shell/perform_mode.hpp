// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string_view>

namespace submix::ui {

/// In the perform mode people move values, knobs, faders, clips, the tempo and cues. The show keeps
/// its PCs, submixes, slots, streams, size and rate, and its lists of knobs, presets and cues.
///
/// Whether the action would change what stays. `edit`: what undo and redo would do.
[[nodiscard]] bool is_structural(const session::Action& action, const model::EditView& edit);

/// What the window says in place of such an action.
inline constexpr std::string_view kStructureStays =
    "not done in the perform mode, which keeps the show as it is; Ctrl+E goes to the edit mode";

/// Goes from the edit mode to the perform mode, or back.
void change_mode(Panel& panel);

/// The window stays open in the perform mode, too.
void refuse_to_quit_while_performing(PanelState& state);

/// Left edge of draw_mode()'s buttons in the present window.
[[nodiscard]] float mode_left(const Panel& panel);
/// Both modes as two buttons at the right end of a bar of `height`.
void draw_mode(float height, Panel& panel);

}  // namespace submix::ui
