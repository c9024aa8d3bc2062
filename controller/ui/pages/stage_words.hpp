// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string>
#include <string_view>

/// The words of the page Perform, for those who never heard of nodes and slots.
namespace submix::ui {

/// The text with a node as PC, a submix as layer, a slot as effect and a link as cable. What stands
/// between quotes is a name, and stays as it is.
[[nodiscard]] std::string stage_words(std::string_view text);

/// The page Perform is shown, with a show.
[[nodiscard]] bool is_on_stage(const Panel& panel);
/// The text as the shown page says it: on Perform in stage words, and with the names of its layers.
[[nodiscard]] std::string words_of_page(std::string text, Panel& panel);

/// Where a node runs: "this PC", or its name. "no PC" without a node.
[[nodiscard]] std::string pc_of(const std::string& node, const Panel& panel);

}  // namespace submix::ui
