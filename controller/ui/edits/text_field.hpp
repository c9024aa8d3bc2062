// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace submix::ui {

/// A field for a text. Returns the typed text once when Enter is pressed.
[[nodiscard]] std::optional<std::string> entered(const char* id, const std::string& present,
                                                 float width, Panel& panel);
/// Dim words in an empty place.
void hint(std::string_view words);

}  // namespace submix::ui
