// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string_view>

namespace submix::ui {

/// Whether the action would change the structure of the show. `edit`: the next undo and redo.
///
/// In the perform mode people move values, knobs, faders, clips, the tempo and cues. The structure
/// stays: PCs, submixes, slots, streams, size and rate, and the lists of knobs, presets and cues.
[[nodiscard]] bool is_structural(const session::Action& action, const model::EditView& edit);

/// The notice in place of such an action.
inline constexpr std::string_view kStructureStays =
    "not done in the perform mode, which keeps the show as it is; Ctrl+E goes to the edit mode";

/// Goes from the edit mode to the perform mode, or back.
void change_mode(Panel& panel);

/// Cancels a wish to quit in the perform mode, with a notice.
void refuse_to_quit_while_performing(PanelState& state);

/// Left edge of draw_mode()'s buttons in the present window.
[[nodiscard]] float mode_left(const Panel& panel);
/// Both modes as two buttons at the right end of a bar of `height`.
void draw_mode(float height, Panel& panel);

}  // namespace submix::ui
