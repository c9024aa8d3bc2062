// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <optional>
#include <string>

namespace submix::ui {

/// A file of a PC. An empty node means any.
struct ChosenFile {
  std::string node;
  std::string file;
};

/// Asks the PCs for their files. To be called when the choice opens.
void ask_for_media(Panel& panel);
/// Inside a popup: a field for `typed` that takes the keyboard, and the PCs' files whose names
/// contain it. `node`: only its files; empty: of all PCs. Returns the file that was chosen, and
/// then empties `typed`.
[[nodiscard]] std::optional<ChosenFile> draw_file_choice(std::string& typed,
                                                         const std::string& node, Panel& panel);

}  // namespace submix::ui
