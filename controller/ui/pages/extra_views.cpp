// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/extra_views.hpp"

#include "controller/ui/draw/layout.hpp"
#include "controller/ui/draw/picture_drawing.hpp"
#include "controller/ui/draw/widgets.hpp"
#include "controller/ui/edits/perform_state.hpp"
#include "controller/ui/pages/mix_controls.hpp"
#include "controller/ui/pages/scopes_panel.hpp"
#include "controller/ui/pages/wall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace submix::ui {
namespace {

constexpr const char* kButton = "Windows";
constexpr Size kPageSize{1240, 760};
constexpr std::string_view kPerform = "perform";

void draw_black(ImVec2 screen) {
  ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(0, 0), screen, IM_COL32(0, 0, 0, 255));
}

bool has_pictures(const Panel& panel) {
  return panel.view.show != nullptr && !panel.view.show->submixes.empty();
}

// An audience may see this window: a black-out is one here, too, and a frozen picture tells no age.
void draw_programme_view(Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  draw_black(screen);
  if (!has_pictures(panel) || panel.view.transport.is_black) return;
  const session::PictureKey key{mix_of(panel).submix, {}};
  const auto draw = panel.view.transport.is_frozen ? &draw_held_picture : &draw_picture;
  draw(key, ImVec2(0, 0), screen, panel);
  if (!panel.watched_large) panel.watched_large = key;
}

void draw_wall_view(Panel& panel) {
  const auto screen = ImGui::GetIO().DisplaySize;
  draw_black(screen);
  if (!has_pictures(panel)) return;
  auto& wall = *panel.state.wall;
  fill_monitor_wall(panel);
  auto fitted = wall;
  fitted.size = 0;
  const float label = ImGui::GetTextLineHeightWithSpacing();
  const WallRoom room{screen.x, screen.y,    aspect_of(panel.view.show->size),
                      label,    panel.px(6), panel.state.scale};
  const auto cells = wall_cells(fitted, room);
  auto* draw = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < std::min(cells.size(), wall.keys.size()); ++i) {
    const ImVec2 corner(cells[i].x, cells[i].y);
    const ImVec2 size(cells[i].width, cells[i].height - label);
    draw_picture(wall.keys[i], corner, size, panel);
    draw->AddText(ImVec2(corner.x + panel.px(4), corner.y + size.y), kDarkScheme.text,
                  picture_name(wall.keys[i]).c_str());
  }
}

void draw_scopes_view(Panel& panel) {
  const auto [corner, size] = whole_room(panel);
  put({"scopes", corner, size}, panel, draw_scopes_panel);
}

std::vector<ExtraView> all_views() {
  std::vector<ExtraView> views{
      {{kProgrammeView, "Programme", "", &draw_programme_view, false}, {}},
      {{kWallView, "Wall of pictures", "", &draw_wall_view, false}, {}},
      {{kScopesView, "Scopes", "", &draw_scopes_view}, "monitor", {360, 760}},
      {{kCuesView, "Cues", "", &draw_cues_view}, kPerform, {420, 560}},
      {{kKnobsView, "Knobs and presets", "", &draw_knobs_view}, kPerform, {420, 640}},
      {{kEffectsView, "Clip and effects", "", &draw_effects_view}, kPerform, {480, 680}},
      {{kLayersView, "Layers and mixer", "", &draw_layers_view}, kPerform, {1100, 320}},
  };
  for (const auto& page : pages())
    views.push_back({page, page.id, kPageSize});
  return views;
}

void draw_move_item(const ExtraView& view, Panel& panel) {
  const bool is_out = is_moved_out(view.entry.id, panel.state);
  const auto words = fmt::format("Move {} {}", is_out ? "back:" : "out:", view.entry.title);
  if (!ImGui::MenuItem(words.c_str())) return;
  if (!is_out) return move_out(view.entry.id, panel.state);
  move_back(view.entry.id, panel.state);
  if (view.is_page()) panel.state.page = view.page;
}

void draw_view_item(std::string_view id, const char* keys, Panel& panel) {
  const auto& view = *find_extra_view(id);
  const std::string title(view.entry.title);
  if (ImGui::MenuItem(title.c_str(), keys, is_moved_out(id, panel.state)))
    toggle_extra_view(id, panel.state);
}

void draw_picture_items(Panel& panel) {
  draw_view_item(kProgrammeView, "Ctrl+Shift+P", panel);
  draw_view_item(kWallView, "Ctrl+Shift+W", panel);
}

}  // namespace

std::span<const ExtraView> extra_views() {
  static const auto kViews = all_views();
  return kViews;
}

const ExtraView* find_extra_view(std::string_view id) {
  const auto views = extra_views();
  const auto found =
      std::ranges::find_if(views, [&](const auto& view) { return view.entry.id == id; });
  return found == views.end() ? nullptr : &*found;
}

bool is_moved_out(std::string_view view, const PanelState& state) {
  return std::ranges::find(state.moved_out, view) != state.moved_out.end();
}

void move_out(std::string_view view, PanelState& state) {
  const auto* found = find_extra_view(view);
  if (found == nullptr || is_moved_out(view, state)) return;
  if (state.moved_out.size() >= kExtraWindowsMax) {
    state.notice = OwnNotice{
        fmt::format("{} windows are open besides this one, which is the most; close one of them",
                    kExtraWindowsMax),
        LocalTime::clock::now()};
    return;
  }
  state.moved_out.push_back(found->entry.id);
}

void move_back(std::string_view view, PanelState& state) {
  std::erase(state.moved_out, view);
}

void toggle_extra_view(std::string_view view, PanelState& state) {
  if (is_moved_out(view, state)) {
    move_back(view, state);
  } else {
    move_out(view, state);
  }
}

void move_page_back(std::string_view page, PanelState& state) {
  std::erase_if(state.moved_out, [&](std::string_view id) {
    const auto* view = find_extra_view(id);
    return view != nullptr && view->page == page;
  });
}

void keep_moved_out_pages_away(PanelState& state) {
  const auto id = chosen_page(state).id;
  if (!is_moved_out(id, state)) {
    state.page_before = id;
    return;
  }
  state.raised_view = id;
  state.page = state.page_before;
  const auto free_one = std::ranges::find_if(
      pages(), [&](const PageEntry& page) { return !is_moved_out(page.id, state); });
  if (is_moved_out(chosen_page(state).id, state)) state.page = free_one->id;
}

void draw_move_items(std::string_view page, Panel& panel) {
  const auto draw_those = [&](bool is_page) {
    for (const auto& view : extra_views()) {
      if (view.page == page && view.is_page() == is_page) draw_move_item(view, panel);
    }
  };
  draw_those(true);
  draw_those(false);
  ImGui::Separator();  // also where a narrow bar has no room for the button
  draw_picture_items(panel);
}

float windows_button_width() {
  return width_of(kButton) + 2 * ImGui::GetStyle().FramePadding.x;
}

void draw_windows_button(Panel& panel) {
  if (small_button(kButton, panel)) ImGui::OpenPopup("windows");
  tooltip("Pictures and panels in windows of their own, for any display");
  const FingerRows rows(panel);
  if (!ImGui::BeginPopup("windows")) return;
  text("In a window of its own", color::kDim);
  draw_picture_items(panel);
  draw_view_item(kScopesView, nullptr, panel);
  ImGui::Separator();
  for (const auto id : {kCuesView, kKnobsView, kEffectsView, kLayersView})
    draw_view_item(id, nullptr, panel);
  text("F11 in it: full screen. Pages: a right click on their tab", color::kFaint);
  ImGui::EndPopup();
}

}  // namespace submix::ui
