// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <string>
#include <vector>

/// Nodes that are not there, started on this PC.
namespace submix::ui {

[[nodiscard]] bool may_start_here(const model::NodeView& node, const Panel& panel);
/// The nodes of the show that may be started here.
[[nodiscard]] std::vector<std::string> missing_nodes(const Panel& panel);
void start_missing_nodes(Panel& panel);
/// A small button for this node.
void draw_start_here(const model::NodeView& node, Panel& panel);
/// A button for each of missing_nodes(), in a row.
void draw_start_buttons(Panel& panel);

}  // namespace submix::ui
