// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/panel.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// Other names for cues and presets.
namespace submix::ui {

/// Inside a popup: the field takes the place of the name from the next frame on. Nothing while a
/// person performs.
void draw_rename_item(Renaming::Kind kind, const std::string& name, Panel& panel);
void begin_renaming(Renaming::Kind kind, const std::string& name, Panel& panel);
[[nodiscard]] bool is_renaming(Renaming::Kind kind, const std::string& name, const Panel& panel);
/// The place among `items` of the one that gets another name. Empty: none of them does.
template <typename Items>
[[nodiscard]] std::optional<int> place_renamed(Renaming::Kind kind, const Items& items,
                                               const Panel& panel) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_renaming(kind, items[i].name, panel)) return static_cast<int>(i);
  }
  return std::nullopt;
}
/// Enter takes the name; Escape and a click beside the field leave it as it was. A refused name
/// stays in the field.
void draw_renaming(float width, Panel& panel);

/// What was learnt for a cue, knob or preset follows its new name, whoever has renamed it.
void follow_renames(Panel& panel);

}  // namespace submix::ui
