// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"
#include "controller/ui/panel.hpp"

#include <string>

/// The panels of the overview.
namespace submix::ui {

void draw_nodes_panel(Panel& panel);
void draw_submixes_panel(Panel& panel);
void draw_links_panel(Panel& panel);
void draw_queues_panel(Panel& panel);
void draw_patch_panel(Panel& panel);
/// The patch of the chosen submix from left to right. Each edge has its newest picture, which is
/// asked for while it is seen.
void draw_patch_graph_panel(Panel& panel);
void draw_preview_panel(Panel& panel);
void draw_events_panel(Panel& panel);

/// The height that each panel would like to have; the page distributes the room.
[[nodiscard]] float nodes_height(const Panel& panel);
[[nodiscard]] float links_height(const Panel& panel);
[[nodiscard]] float preview_height(const Panel& panel, float width);

/// Whether nothing speaks for the node any more: it has left, and the show does not name it.
[[nodiscard]] bool may_be_forgotten(const model::NodeView& node, const model::ClusterView& view);

/// "glow: plugin crashed (3 times)".
[[nodiscard]] std::string line_of(const model::EventView& event);

/// Kind of a drag from the list of submixes to a node; its content is the submix's name.
inline constexpr const char* kSubmixPayload = "submix";

}  // namespace submix::ui
