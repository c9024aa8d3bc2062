// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/pages.hpp"

#include "controller/ui/draw/words.hpp"
#include "controller/ui/shell/commands.hpp"

#include <algorithm>
#include <array>

namespace submix::ui {
namespace {

constexpr std::array kPages{
    PageEntry{"overview", "Overview",
              "Nodes, submixes, links, queues, preview and patch in one look", &draw_overview_page},
    PageEntry{"holdup", "What holds it back",
              "What limits the show now, what would help, and what did before", &draw_holdup_page},
    PageEntry{"patch", "Patch", "The slots of a submix, and the plugins to put there",
              &draw_patch_page},
    PageEntry{"streams", "Streams", "Outputs, inputs, and the cables between them",
              &draw_streams_page},
    PageEntry{"perform", "Perform", "Knobs, presets, and the next cue", &draw_perform_page},
    PageEntry{"control", "Control", "MIDI, OSC and Ableton Link: what moves the show from outside",
              &draw_control_page, false},
    PageEntry{"links", "Links", "Plots of what each stream and link carries, and waits for",
              &draw_links_page},
    PageEntry{"history", "History", "What each thread of each node did for which frame",
              &draw_history_page},
    PageEntry{"monitor", "Monitor", "A wall of pictures from any slot of any node",
              &draw_monitor_page},
    PageEntry{"ledger", "Ledger", "Where every frame of every edge is", &draw_ledger_page},
    PageEntry{"alerts", "Alerts",
              "What is not as it should be, since when, and what was done about it",
              &draw_alerts_page, false},
};

void draw_tab(const PageEntry& page, std::size_t index, Panel& panel) {
  const bool is_chosen = &page == &chosen_page(panel.state);
  const float height = ImGui::GetWindowHeight();
  const ImVec2 size(width_of(page.title) + panel.px(28), height);
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(index));
  if (ImGui::InvisibleButton("tab", size)) panel.state.page = page.id;
  const bool is_hovered = ImGui::IsItemHovered();
  tip("{} ({})", page.explanation, keys_text(page_key(index)));
  ImGui::PopID();
  auto* draw = ImGui::GetWindowDrawList();
  const ImVec2 end(corner.x + size.x, corner.y + size.y);
  if (is_chosen || is_hovered)
    draw->AddRectFilled(corner, end, is_chosen ? color::kCard : color::kPanel);
  if (is_chosen) draw->AddRectFilled(ImVec2(corner.x, end.y - panel.px(2)), end, color::kAccent);
  const float top = corner.y + std::round((height - ImGui::GetFontSize()) / 2);
  draw->AddText(ImVec2(corner.x + panel.px(14), top), is_chosen ? color::kText : color::kDim,
                page.title.data(), page.title.data() + page.title.size());
}

}  // namespace

std::span<const PageEntry> pages() {
  return kPages;
}

const PageEntry& chosen_page(const PanelState& state) {
  const auto* found = std::ranges::find(kPages, state.page, &PageEntry::id);
  return found == kPages.end() ? kPages.front() : *found;
}

void draw_page_tabs(Panel& panel) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(panel.px(2), 0));
  ImGui::SetCursorPos(ImVec2(panel.px(8), 0));
  for (std::size_t i = 0; i < kPages.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    draw_tab(kPages.at(i), i, panel);
  }
  ImGui::PopStyleVar();
}

}  // namespace submix::ui
