// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "controller/session/session_core.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/extra_window.hpp"

#include <SDL_events.h>

#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace submix::ui {

/// All extra windows: opens and closes them as PanelState::moved_out wants, keeps their places, and
/// knows which window has the keyboard.
///
/// Shape    The keyboard belongs to the window that was pressed or focused last, and to one only:
///          text fields of others end. Dialogs of the main window take the keyboard there.
/// Threads  Confined (ui).
class ExtraWindows {
 public:
  /// Opens the windows that were open in the last run.
  void begin_with(std::vector<ExtraPlace> places, PanelState& state);
  /// The places of open and closed windows; each view once.
  [[nodiscard]] std::vector<ExtraPlace> places(const PanelState& state) const;

  /// True: the event is for an extra window, and the main window must not have it.
  [[nodiscard]] bool receive(const SDL_Event& event, LocalTime now, PanelState& state);
  /// Gives the keyboard to the main window.
  void leave_keyboard_to_main(PanelState& state);
  /// Whether one of them wants frames.
  [[nodiscard]] bool is_busy() const;
  [[nodiscard]] std::span<const std::unique_ptr<ExtraWindow>> windows() const { return windows_; }

  /// Opens, draws or closes windows, as wanted. True: a closed window had the keyboard.
  [[nodiscard]] bool tend(Panel& panel, const std::shared_ptr<const session::Pictures>& pictures,
                          const ExtraWindow::Main& main);

 private:
  [[nodiscard]] ExtraWindow* find(Uint32 window) const;
  [[nodiscard]] ExtraPlace& place_of(const ExtraView& view);
  [[nodiscard]] bool receive_key(const SDL_Event& event);
  void put_in_front(ExtraWindow* extra, PanelState& state);
  void give_keyboard_to(ExtraWindow* extra, PanelState& state);
  /// True: a closed window had the keyboard.
  [[nodiscard]] bool close_unwanted(PanelState& state);
  void open_wanted(PanelState& state, const ExtraWindow::Main& main);
  void raise(std::string_view view, PanelState& state);

  std::vector<std::unique_ptr<ExtraWindow>> windows_;
  std::vector<ExtraPlace> places_;   // of closed windows, too
  ExtraWindow* front_ = nullptr;     // pressed or focused last; null: the main window
  ExtraWindow* keyboard_ = nullptr;  // null: the main window
  bool has_lost_display_ = false;
};

}  // namespace submix::ui
