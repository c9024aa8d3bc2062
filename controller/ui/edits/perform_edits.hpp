// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/performing.hpp"
#include "controller/model/edit/performing.hpp"
#include "controller/ui/panels.hpp"

/// What performers ask for, from whatever panel.
namespace submix::ui {

/// As a part of the present gesture; a notice where it cannot be.
void post(const Result<model::Edit>& edit, Panel& panel);
/// The same of a move; what it leaves out is told.
void post(const Result<model::Performed>& done, Panel& panel);

/// Inside a popup: puts the parameter on a knob, or takes it off.
void draw_knob_menu(const show::KnobTarget& target, Panel& panel);
/// Inside a popup: puts the change into a cue, in place of one of the same thing.
void draw_cue_menu(const show::CueChange& change, Panel& panel);

/// Does the next cue, or this one.
void go(Panel& panel, std::string_view cue = {});
[[nodiscard]] bool can_go(const Panel& panel);

// For keys and the palette.
[[nodiscard]] bool has_knobs(const Panel& panel);
[[nodiscard]] bool has_presets(const Panel& panel);
/// That keys turn, and apply; null: there is none.
[[nodiscard]] const show::Knob* chosen_knob(const Panel& panel);
[[nodiscard]] const show::Preset* chosen_preset(const Panel& panel);
/// The one `step` places further on; after the last one comes the first.
void choose_knob(int step, Panel& panel);
void choose_preset(int step, Panel& panel);
/// As a part of the present gesture.
void turn(const std::string& knob, double value, Panel& panel);
/// What is turned without a pause is one step of undo.
void turn_chosen_knob(double by, Panel& panel);
void turn_knob_to(const std::string& knob, double value, Panel& panel);
void apply_preset(const std::string& preset, Panel& panel);
void apply_chosen_preset(Panel& panel);
/// Of a wheel or a key, which has no beginning and no end.
void begin_gesture_of_wheel(const std::string& knob, Panel& panel);

/// "knob-3": not among `items` yet.
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
