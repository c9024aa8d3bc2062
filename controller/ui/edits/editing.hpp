// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/ui/panels.hpp"

#include <functional>
#include <string>

/// How pages change the show's structure: say what it would ask before it is done, and why it cannot be.
namespace submix::ui {

/// Does it; what cannot be done is said as a notice. What the planner refuses is done only while Shift is
/// held. True: it is under way.
bool make(const Result<model::Edit>& edit, Panel& panel);
/// What an edit made or renamed comes with the show: then it is the chosen one.
void choose_once_there(bool is_there, std::string& wanted, std::string& chosen);

/// What the planner says to it, in lines of `width`; worked out anew at most twice a second.
void draw_plan(const Result<model::Edit>& edit, float width, Panel& panel);

/// For the widget before it: takes what is dragged of `kind`, a name. Says what the edit that `change` makes
/// of it would ask while it is over the widget, and does it when it is dropped. True: it is over the widget.
bool accept_drop(const char* kind,
                 const std::function<Result<model::Edit>(const std::string&)>& change,
                 Panel& panel);
/// For the widget before it: it can be dragged, as `name`.
void offer_drag(const char* kind, const std::string& name, const std::string& words);

/// The plugins known, and none.
[[nodiscard]] const model::PluginMap& plugins_of(const Panel& panel);
/// The chosen submix's; null: there is none.
[[nodiscard]] const show::Submix* chosen_submix(const Panel& panel);
/// Null where the name is not one of its slots.
[[nodiscard]] const show::Slot* chosen_slot(const Panel& panel);

inline constexpr const char* kSlotPayload = "slot";
inline constexpr const char* kPluginPayload = "plugin";
inline constexpr const char* kOutputPayload = "output";

void draw_slots_panel(Panel& panel);
void draw_slot_panel(Panel& panel);
void draw_plugin_browser(Panel& panel);
void draw_patch_bay(Panel& panel);
void draw_stream_panel(Panel& panel);
void draw_format_panel(Panel& panel);
/// Over the page, while it is open.
void draw_show_settings(Panel& panel);

// For keys and the palette.
[[nodiscard]] bool can_edit_slot(const Panel& panel);
[[nodiscard]] bool can_delete(const Panel& panel);
/// The chosen slot, or the chosen stream on the streams' page.
void delete_chosen(Panel& panel);
void duplicate_chosen(Panel& panel);
void solo_chosen(Panel& panel);
void bypass_chosen(Panel& panel);
/// One press brings the last show back that ran without a fault; undo takes that back.
void go_back_to_good_show(Panel& panel);
/// Opens the patch page with the keyboard in the plugin browser, which begins with all plugins.
void find_plugin_to_insert(Panel& panel);
/// The same; what is chosen there comes in the place of the chosen slot's plugin.
void find_plugin_to_replace(Panel& panel);

}  // namespace submix::ui
