// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/ui/panel.hpp"

/// The one way in which the window edits the show.
namespace submix::ui {

/// How an edit joins the undo history, and whether the planner is asked.
enum class Gesture {
  none,   ///< a single edit; an edit that the planner refuses is made only while Shift is held
  begin,  ///< first edit of a gesture, such as a drag; made at once
  go_on,  ///< later edit of the present gesture and its undo step; made at once
};

/// Posts the edit. True: it was posted; else a notice gives the reason.
bool edit_show(const Result<model::Edit>& edit, Gesture gesture, Panel& panel);
/// The same for an edit of performers. A notice tells which of its parts were left out.
bool edit_show(const Result<model::Performed>& done, Gesture gesture, Panel& panel);

/// For the last widget: begins a gesture when the widget becomes active. True: it has begun.
bool begin_gesture_when_pressed(Panel& panel);
void begin_gesture(Panel& panel);

/// Draws the planner's opinion of `edit`, in lines of `width`. It is computed anew at most twice a
/// second.
void draw_plan(const Result<model::Edit>& edit, float width, Panel& panel);

}  // namespace submix::ui
