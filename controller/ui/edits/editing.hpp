// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "controller/model/edit/show_edit.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/panel.hpp"

#include <functional>
#include <string>

/// How pages change the show's structure. Before an edit is made, the window tells its consequences
/// or the reason why it is impossible.
namespace submix::ui {

/// Selects a thing that an edit has just made or renamed, as soon as the show contains it.
void choose_once_there(bool is_there, std::string& wanted, std::string& chosen);

/// Inserts a plugin behind a slot. The new slot becomes the chosen one.
void insert_plugin(const std::string& plugin, const show::Port& above, Panel& panel);
/// Copies the chosen effect, or all effects of the chosen submix, to the system's clipboard.
void copy_effect(Panel& panel);
void copy_all_effects(Panel& panel);
/// Inserts the clipboard's effects behind the chosen effect. Without one: behind all effects.
void paste_effects(Panel& panel);
/// Chooses the slot that was inserted last, as soon as the show contains it.
void choose_wanted_slot(Panel& panel);

/// Makes the last widget accept a dragged name of `kind`. While the mouse is over the widget, a
/// tooltip tells the consequences of the edit that `change` makes. The edit is made on drop. True:
/// something is dragged over the widget.
bool accept_drop(const char* kind,
                 const std::function<Result<model::Edit>(const std::string&)>& change,
                 Panel& panel);
/// Makes the last widget draggable, as `name`.
void offer_drag(const char* kind, const std::string& name, const std::string& words);
/// Lets go of what is dragged: it is dropped nowhere. False: nothing is dragged. Between frames.
[[nodiscard]] bool give_up_drag();

/// The known plugins; an empty map if none are known.
[[nodiscard]] const model::PluginMap& plugins_of(const Panel& panel);
/// Null if there is none.
[[nodiscard]] const show::Submix* chosen_submix(const Panel& panel);
/// The slot whose picture leaves the submix: the last slot that is no output. The submix has slots.
[[nodiscard]] std::string last_picture_of(const show::Submix& submix, const Panel& panel);
/// Null if the name is not a slot of the chosen submix.
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
/// A dialog over the page; draws nothing while it is closed.
void draw_show_settings(Panel& panel);

// For keys and the command palette.
[[nodiscard]] bool can_edit_slot(const Panel& panel);
[[nodiscard]] bool can_copy_effect(const Panel& panel);
[[nodiscard]] bool can_paste_effects(const Panel& panel);
[[nodiscard]] bool can_delete(const Panel& panel);
/// Deletes the chosen slot, or on the streams page the chosen stream.
void delete_chosen(Panel& panel);
void duplicate_chosen(Panel& panel);
void solo_chosen(Panel& panel);
void bypass_chosen(Panel& panel);
/// Restores the last show that ran without a fault. Undo reverts it.
void go_back_to_good_show(Panel& panel);
/// Opens the patch page with the keyboard focus in the plugin browser and an empty search.
void find_plugin_to_insert(Panel& panel);
/// As find_plugin_to_insert(), but for the plugin of the chosen slot.
void find_plugin_to_replace(Panel& panel);

}  // namespace submix::ui
