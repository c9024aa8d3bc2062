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
/// Inside a popup: puts the change into a cue. It replaces the cue's change of the same thing.
void draw_cue_menu(const show::CueChange& change, Panel& panel);

/// Performs `cue`, or the next cue.
void go(Panel& panel, std::string_view cue = {});
[[nodiscard]] bool can_go(const Panel& panel);
/// The next cue waits for a person. No step of undo, because a follow-on never comes back.
void stop_following(Panel& panel);
[[nodiscard]] bool is_following(const Panel& panel);

/// The submix beside whose end a first output or recorder goes.
[[nodiscard]] std::string shown_mix(const Panel& panel);
/// All recorders record, or none. Without a recorder the mix gets one.
void record_outputs(bool is_recording, Panel& panel);

// For keys and the command palette.
[[nodiscard]] bool has_knobs(const Panel& panel);
[[nodiscard]] bool has_presets(const Panel& panel);
/// The knob and the preset that keys act on. Null: none.
[[nodiscard]] const show::Knob* chosen_knob(const Panel& panel);
[[nodiscard]] const show::Preset* chosen_preset(const Panel& panel);
/// Chooses the one `step` places further. The first follows the last.
void choose_knob(int step, Panel& panel);
void choose_preset(int step, Panel& panel);
/// Continues the present gesture.
void turn(const std::string& knob, double value, Panel& panel);
/// Turning without a pause is one step of undo.
void turn_chosen_knob(double by, Panel& panel);
void turn_knob_to(const std::string& knob, double value, Panel& panel);
void apply_preset(const std::string& preset, Panel& panel);
void apply_chosen_preset(Panel& panel);
/// Begins a gesture of the mouse wheel or a key, which have no press and release.
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
