// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/screen.hpp"

#include "controller/ui/draw/format.hpp"
#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/editing.hpp"
#include "controller/ui/edits/editing_state.hpp"
#include "controller/ui/edits/learning.hpp"
#include "controller/ui/edits/renaming.hpp"
#include "controller/ui/edits/show_files.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/pages/missing_files.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/shell/command_palette.hpp"
#include "controller/ui/shell/help.hpp"
#include "controller/ui/shell/notices.hpp"
#include "controller/ui/shell/page_tabs.hpp"
#include "controller/ui/shell/pc_check.hpp"
#include "controller/ui/shell/progress.hpp"
#include "controller/ui/shell/quit.hpp"
#include "controller/ui/shell/several_pcs.hpp"
#include "controller/ui/shell/top_bar.hpp"
#include "controller/ui/shell/tour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::ui {
namespace {

// A report may be left over from an earlier show; telemetry proves that the node runs.
bool has_been_seen(const model::NodeView& node) {
  return node.uptime.count() > 0;
}

// The next show may lack the selected things.
void choose_what_is_shown(Panel& panel) {
  auto& state = panel.state;
  remember_file(panel.view.file.path, state.files->recent);
  const auto& submixes = panel.view.submixes;
  if (submixes.empty()) return;
  const auto final_one = std::ranges::find(submixes, true, &model::SubmixView::is_final);
  const auto& usual = final_one == submixes.end() ? submixes.front().name : final_one->name;
  choose_once_there(panel.view.find_submix(state.editing->wanted_submix) != nullptr,
                    state.editing->wanted_submix, state.selected_submix);
  if (panel.view.find_submix(state.selected_submix) == nullptr)
    state.selected_submix = submixes.front().name;
  const bool has_slot =
      state.picture.slot.empty() ||
      panel.view.show->find_slot({state.picture.submix, state.picture.slot}) != nullptr;
  if (panel.view.find_submix(state.picture.submix) == nullptr || !has_slot)
    state.picture = {usual, {}};
}

// Everything on the screen is out of date now, so the banner is large.
float draw_lost_banner(Panel& panel, float top, float width) {
  if (panel.view.connection != model::ConnectionState::lost) return 0;
  const float height = panel.px(34);
  ImGui::SetCursorPos(ImVec2(0, top));
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(corner, ImVec2(corner.x + width, corner.y + height),
                                            color::kBad);
  ImGui::SetCursorPos(
      ImVec2(panel.px(14), top + std::round((height - panel.fonts.strong->FontSize) / 2)));
  const auto words = fmt::format(
      "The server is out of reach since {} ({}). The show runs on; what you see here is as it was "
      "{} ago.",
      clock_text(panel.view.connection_since), panel.view.connection_text,
      duration_text(panel.view.now - panel.view.connection_since));
  text_in(panel.fonts.strong, words, color::kOnBright);
  return height;
}

// The chosen page, or the page that tells what is missing for it.
void (*page_now(const Panel& panel))(Panel&) {
  const auto& page = chosen_page(panel.state);
  if (!page.needs_show) return page.draw;
  if (std::ranges::none_of(panel.view.nodes, has_been_seen)) return &draw_empty_page;
  return panel.view.show == nullptr ? &draw_showless_page : page.draw;
}

void leave_plots(Panel& panel) {
  if (!is_moved_out("links", panel.state)) leave_link_plots(panel);
}

// In a small window a page of many panels has ample room and scrolls. The bars above stay.
void draw_page(ImVec2 corner, ImVec2 size, Panel& panel) {
  auto* const draw = page_now(panel);
  const bool has_ground = draw != chosen_page(panel.state).draw;
  if (!is_small_window(panel) || draw == &draw_perform_page)
    return put({"page", corner, size, has_ground}, panel, draw);
  const ImVec2 needed(std::max(size.x, panel.px(static_cast<float>(kLayoutSize.width))),
                      std::max(size.y, panel.px(static_cast<float>(kLayoutSize.height))));
  ImGui::SetCursorPos(corner);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("room", size, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoBackground);
  ImGui::PopStyleVar();
  put({"page", {0, 0}, needed, has_ground}, panel, draw);
  ImGui::EndChild();
}

void draw_bar_and_page(ImVec2 screen, Panel& panel) {
  const bool is_short = has_short_bars(panel);
  const float bar = panel.reach(is_short ? 42 : 58);
  const float tabs =
      panel.state.is_touched ? panel.px(kFingertip + 6) : panel.px(is_short ? 28 : 32);
  put({"top", {0, 0}, {screen.x, bar}}, panel, draw_top_bar);
  put({"tabs", {0, bar}, {screen.x, tabs}, false}, panel, draw_page_tabs);
  keep_moved_out_pages_away(panel.state);
  const float top =
      bar + tabs + draw_lost_banner(panel, bar + tabs, screen.x) + panel.px(kPanelGap);
  if (page_now(panel) != &draw_links_page) leave_plots(panel);
  draw_page({0, top}, {screen.x, screen.y - top}, panel);
}

}  // namespace

void draw_screen(Panel& panel) {
  follow_renames(panel);
  choose_what_is_shown(panel);
  if (std::exchange(panel.state.closes_menus, false)) close_menus();
  const auto screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(screen);
  constexpr auto kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                          ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoBringToFrontOnFocus |
                          ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoSavedSettings;
  ImGui::Begin("submix", nullptr, kFlags);
  keep_moved_out_pages_away(panel.state);
  const bool has_monitor = chosen_page(panel.state).draw == &draw_monitor_page;
  if (has_monitor &&
      large_picture(panel.state)) {  // below all overlays: notices, dialogs, the command palette
    put({"large picture", {0, 0}, screen}, panel, draw_large_picture);
    leave_plots(panel);
  } else {
    draw_bar_and_page(screen, panel);
  }
  ImGui::End();
  draw_notices(panel);
  draw_progress(panel);
  draw_help(panel);
  draw_pc_check(panel);
  draw_several_pcs(panel);
  draw_file_dialog(panel);
  draw_missing_files(panel);
  draw_show_settings(panel);
  draw_learning_notice(panel);
  draw_tour(panel);
  if (panel.state.extra_page.empty()) draw_command_palette(panel);
  draw_quit_question(panel);
}

}  // namespace submix::ui
