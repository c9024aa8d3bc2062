// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <optional>
#include <string>

namespace submix::ui {

/// Inside a popup: a field that takes the keyboard, the categories, and the effects that match
/// both, each on the newest picture of the slot `input`; favourites come first. Arrows move the
/// choice, Enter takes it, a press on the star makes a favourite. Returns the id of the effect that
/// was taken.
[[nodiscard]] std::optional<std::string> draw_effect_choice(const show::Port& input, Panel& panel);

}  // namespace submix::ui
