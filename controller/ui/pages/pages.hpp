// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panel.hpp"

#include <optional>
#include <span>
#include <string_view>

/// The window's pages fill the room below the top bar, one at a time. A page is a function in a
/// file of its own and a line in the table of pages.cpp.
namespace submix::ui {

struct PageEntry {
  std::string_view id;     ///< key in the preferences: "overview"
  std::string_view title;  ///< text of its tab
  const char* explanation = "";
  void (*draw)(Panel&) = nullptr;  ///< fills the current child window
  bool needs_show = true;          ///< without a show, the page shows how to begin one
};

/// All pages in the order of their tabs. The first is the default.
[[nodiscard]] std::span<const PageEntry> pages();
/// The page that `state` names. The default if the name is unknown.
[[nodiscard]] const PageEntry& chosen_page(const PanelState& state);

/// Knobs, presets and cues.
void draw_perform_page(Panel& panel);
/// Panels of that page, each of which fills the current child window. The view has a show.
void draw_cues_view(Panel& panel);
void draw_knobs_view(Panel& panel);    ///< knobs and presets
void draw_effects_view(Panel& panel);  ///< the clip and effects of the chosen layer
void draw_layers_view(Panel& panel);   ///< layers and mixer
/// Everything important on one page: nodes, submixes, links, queues, preview, patch, events.
void draw_overview_page(Panel& panel);
/// Plots of streams and links.
void draw_links_page(Panel& panel);
/// Freezes the plots of the links page, or lets them run on.
void toggle_freeze(Panel& panel);
/// Call it while another page is shown: the session then stops collecting figures for the plots.
void leave_link_plots(Panel& panel);
/// A Gantt chart of the last seconds of all threads of all nodes.
void draw_history_page(Panel& panel);
/// As the button of the history page.
void take_trace(Panel& panel);
/// A wall of previews of any slot on any node.
void draw_monitor_page(Panel& panel);
/// Fills the empty cells of the wall. The view has a show.
void fill_monitor_wall(Panel& panel);
/// Fills the window that the page Monitor is in with one picture of the wall, in place of all bars
/// and the page.
void draw_large_picture(Panel& panel);
[[nodiscard]] std::optional<session::PictureKey> large_picture(const PanelState& state);
/// Where every frame of every edge is.
void draw_ledger_page(Panel& panel);
/// What is wrong now, and what the system did about it.
void draw_alerts_page(Panel& panel);
/// The number of unseen alerts, left of `right_corner`. Draws nothing if there are none.
void draw_alert_badge(Panel& panel, ImVec2 right_corner);
/// What holds the show back: a sentence, the critical path, and the causes of the last minutes.
void draw_holdup_page(Panel& panel);
/// Control from outside: MIDI with its mappings, OSC, Ableton Link.
void draw_control_page(Panel& panel);

/// The slots of a submix and the plugins of its node, for building a patch.
void draw_patch_page(Panel& panel);
/// The patch bay: outputs, inputs, and the streams between them.
void draw_streams_page(Panel& panel);

}  // namespace submix::ui
