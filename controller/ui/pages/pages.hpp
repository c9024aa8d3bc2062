// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/panels.hpp"

#include <optional>
#include <span>
#include <string_view>

/// The window's pages: what is shown below the top bar, one at a time. A page is a function in a file of its
/// own (pages/), and a line in the table of pages.cpp.
namespace submix::ui {

struct PageEntry {
  std::string_view id;     ///< in preferences: "overview"
  std::string_view title;  ///< on its tab
  const char* explanation = "";
  void (*draw)(Panel&) = nullptr;  ///< fills the child window it is called in
  bool needs_show = true;          ///< without one, what begins a show is in its place
};

/// In the order of the tabs; the first is the usual one.
[[nodiscard]] std::span<const PageEntry> pages();
/// The one that is chosen; the usual one where the name is unknown.
[[nodiscard]] const PageEntry& chosen_page(const PanelState& state);

/// The tabs, in the child window it is called in.
void draw_page_tabs(Panel& panel);

/// Knobs, presets and cues.
void draw_perform_page(Panel& panel);
/// All that matters in one look: nodes, submixes, links, queues, preview, patch, events.
void draw_overview_page(Panel& panel);
/// Plots of streams and links.
void draw_links_page(Panel& panel);
/// The plots of that page stand still, or run on.
void toggle_freeze(Panel& panel);
/// To be called while another page is shown: what nobody sees costs nothing.
void leave_link_plots(Panel& panel);
/// A Gantt of all threads of all nodes, of the last seconds.
void draw_history_page(Panel& panel);
/// As the button of that page does.
void take_trace(Panel& panel);
/// A wall of previews of any slot of any node.
void draw_monitor_page(Panel& panel);
/// The picture of the wall that fills the window it is called in, in the place of the bar and the page.
void draw_large_picture(Panel& panel);
[[nodiscard]] std::optional<session::PictureKey> large_picture(const PanelState& state);
/// Where every frame of every edge is.
void draw_ledger_page(Panel& panel);
/// What is not as it should be, and what the system did about it.
void draw_alerts_page(Panel& panel);
/// The number of those that nobody has seen, left of `right_corner`; nothing without any.
void draw_alert_badge(Panel& panel, ImVec2 right_corner);
/// What holds the show back: the sentence, the critical path, and who did over the last minutes.
void draw_holdup_page(Panel& panel);
/// Control from outside: MIDI with its mappings, OSC, Ableton Link.
void draw_control_page(Panel& panel);

/// The slots of a submix and the plugins of its node: to build a patch.
void draw_patch_page(Panel& panel);
/// The patch bay: outputs, inputs and the streams between them.
void draw_streams_page(Panel& panel);

}  // namespace submix::ui
