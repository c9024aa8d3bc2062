// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/clip_report.hpp"
#include "controller/ui/panel.hpp"

#include <cstddef>
#include <string>

namespace submix::ui {

/// A clip's slot, and what its node last told of it.
struct ClipDeck {
  show::Port slot;
  std::string node;
  model::ClipReport report;
};

/// The clip of the chosen layer. The layer has one: has_clip().
[[nodiscard]] ClipDeck chosen_deck(const Panel& panel);

/// Draws the clips of the bank, the cue points of the clip that plays, and the time at which a
/// press on one of them holds.
void draw_clip_bank(const ClipDeck& deck, Panel& panel);
[[nodiscard]] float bank_height(const Panel& panel);

// For keys and the command palette. Numbers count from 1.
void take_clip_of_bank(std::size_t number, Panel& panel);
void jump_to_cue_point(std::size_t number, Panel& panel);

}  // namespace submix::ui
