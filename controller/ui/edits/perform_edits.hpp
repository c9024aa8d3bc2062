// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/performing.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/ui/edits/edit_show.hpp"
#include "controller/ui/panel.hpp"

/// Edits that performers make, from any panel.
namespace submix::ui {

/// Inside a popup: puts the parameter on a knob, or removes it from the knob.
void draw_knob_menu(const show::KnobTarget& target, Panel& panel);
/// Inside a popup: puts the change into a cue, in place of the cue's change of the same value.
void draw_cue_menu(const show::CueChange& change, Panel& panel);

/// Performs `cue`, or the next cue.
void go(Panel& panel, std::string_view cue = {});
[[nodiscard]] bool can_go(const Panel& panel);
/// Cancels the follow-on: the next cue waits for a person. Not undoable, as a follow-on cannot be
/// started again.
void stop_following(Panel& panel);
[[nodiscard]] bool is_following(const Panel& panel);

/// The submix whose end gets a first output or recorder.
[[nodiscard]] std::string shown_mix(const Panel& panel);
/// All recorders record, or none. Without a recorder the mix gets one.
void record_outputs(bool is_recording, Panel& panel);

// For keys and the command palette.
[[nodiscard]] bool has_knobs(const Panel& panel);
[[nodiscard]] bool has_presets(const Panel& panel);
/// The knob and the preset for keys. Null: the show has none.
[[nodiscard]] const show::Knob* chosen_knob(const Panel& panel);
[[nodiscard]] const show::Preset* chosen_preset(const Panel& panel);
/// Chooses the knob or preset `step` places further. The first follows the last.
void choose_knob(int step, Panel& panel);
void choose_preset(int step, Panel& panel);
/// Continues the present gesture.
void turn(const std::string& knob, double value, Panel& panel);
/// Turns without a pause in between are one step of undo.
void turn_chosen_knob(double by, Panel& panel);
void turn_knob_to(const std::string& knob, double value, Panel& panel);
void apply_preset(const std::string& preset, Panel& panel);
void apply_chosen_preset(Panel& panel);
/// Begins a gesture of the mouse wheel or a key, unless the same knob was turned just now.
void begin_gesture_of_wheel(const std::string& knob, Panel& panel);

/// "knob-3": a name that `items` does not have yet.
template <typename Items>
[[nodiscard]] std::string free_name(std::string_view stem, const Items& items) {
  for (std::size_t number = items.size() + 1;; ++number) {
    auto name = std::string(stem) + "-" + std::to_string(number);
    bool is_taken = false;
    for (const auto& item : items)
      is_taken = is_taken || item.name == name;
    if (!is_taken) return name;
  }
}

}  // namespace submix::ui
