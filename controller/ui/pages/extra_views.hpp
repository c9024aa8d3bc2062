// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/ui/pages/pages.hpp"
#include "controller/ui/panel.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

/// What a window of its own can show: the programme, the wall of pictures, a page, or a panel of
/// the page Perform. A page or panel is in one window at a time: while it is moved out, the main
/// window shows it no more.
namespace submix::ui {

inline constexpr std::size_t kExtraWindowsMax = 4;

inline constexpr std::string_view kProgrammeView = "programme";
inline constexpr std::string_view kWallView = "wall";
inline constexpr std::string_view kScopesView = "scopes";
inline constexpr std::string_view kCuesView = "cues";
inline constexpr std::string_view kKnobsView = "knobs";
inline constexpr std::string_view kEffectsView = "effects";
inline constexpr std::string_view kLayersView = "layers";

struct ExtraView {
  PageEntry entry;
  std::string_view page;  ///< that it is, or that it is a panel of; empty: pictures only
  Size size{960, 540};    ///< of its window at first

  [[nodiscard]] bool has_controls() const { return !page.empty(); }
  [[nodiscard]] bool is_page() const { return page == entry.id; }
};

/// An extra window, as the preferences keep it.
struct ExtraPlace {
  std::string view;  ///< id of an ExtraView
  bool is_open = false;
  bool is_placed = false;  ///< x and y are known
  int x = 0;               ///< on the desktop
  int y = 0;
  Size size{960, 540};
  bool is_fullscreen = false;

  friend bool operator==(const ExtraPlace&, const ExtraPlace&) = default;
};

/// The programme, the wall, the panels of Perform, then all pages.
[[nodiscard]] std::span<const ExtraView> extra_views();
/// Null: there is none.
[[nodiscard]] const ExtraView* find_extra_view(std::string_view id);

[[nodiscard]] bool is_moved_out(std::string_view view, const PanelState& state);
/// Opens a window for the view. If as many are open as may be, a notice says so.
void move_out(std::string_view view, PanelState& state);
/// Closes the view's window.
void move_back(std::string_view view, PanelState& state);
void toggle_extra_view(std::string_view view, PanelState& state);
/// The page and its panels are in the main window again.
void move_page_back(std::string_view page, PanelState& state);
/// Where the main window is to show a page that is moved out, it goes back to its page before, and
/// the moved-out page comes to the front.
void keep_moved_out_pages_away(PanelState& state);

/// Items of a menu: moves the page, and the panels of the page, out or back.
void draw_move_items(std::string_view page, Panel& panel);
/// A button with the menu of the pictures and panels that have a window of their own.
void draw_windows_button(Panel& panel);
[[nodiscard]] float windows_button_width();

}  // namespace submix::ui
