// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/pages.hpp"

#include <algorithm>
#include <array>

namespace submix::ui {
namespace {

constexpr std::array kPages{
    PageEntry{"perform", "Perform", "The programme and its layers, cues, knobs and presets",
              &draw_perform_page},
    PageEntry{"overview", "Overview",
              "Nodes, submixes, links, queues, preview and patch in one look", &draw_overview_page},
    PageEntry{"holdup", "What holds it back",
              "What limits the show now, what would help, and the limits before",
              &draw_holdup_page},
    PageEntry{"patch", "Patch", "The slots of a submix, and the plugins to put there",
              &draw_patch_page},
    PageEntry{"streams", "Streams", "Outputs, inputs, and the cables between them",
              &draw_streams_page},
    PageEntry{"control", "Control",
              "MIDI, OSC, Ableton Link and music: what moves the show from outside",
              &draw_control_page, false},
    PageEntry{"links", "Links", "Plots of what each stream and link carries, and waits for",
              &draw_links_page},
    PageEntry{"history", "History", "What each thread of each node did for which frame",
              &draw_history_page},
    PageEntry{"monitor", "Monitor", "A wall of pictures from any slot of any node",
              &draw_monitor_page},
    PageEntry{"ledger", "Ledger", "Where every frame of every edge is", &draw_ledger_page},
    PageEntry{"alerts", "Alerts", "What is wrong, since when, and what was done about it",
              &draw_alerts_page, false},
};

}  // namespace

std::span<const PageEntry> pages() {
  return kPages;
}

const PageEntry& chosen_page(const PanelState& state) {
  const auto* found = std::ranges::find(kPages, state.page, &PageEntry::id);
  return found == kPages.end() ? kPages.front() : *found;
}

}  // namespace submix::ui
