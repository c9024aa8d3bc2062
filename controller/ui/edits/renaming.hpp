// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/panel.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// Renaming of cues, presets and layers.
namespace submix::ui {

/// Inside a popup: an item that puts a field in place of the name, from the next frame on. No item
/// in the perform mode.
void draw_rename_item(Renaming::Kind kind, const std::string& name, Panel& panel);
void begin_renaming(Renaming::Kind kind, const std::string& name, Panel& panel);
[[nodiscard]] bool is_renaming(Renaming::Kind kind, const std::string& name, const Panel& panel);
/// The index of the item that is being renamed. Empty: none is.
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

/// After a rename, by whomever: what was chosen stays chosen, and learnt controls act on the new
/// name.
void follow_renames(Panel& panel);

}  // namespace submix::ui
