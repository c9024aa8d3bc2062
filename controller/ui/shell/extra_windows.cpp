// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/extra_windows.hpp"

#include "controller/ui/shell/imgui_window.hpp"

#include <SDL.h>

#include <algorithm>
#include <utility>

namespace submix::ui {
namespace {

// The number of the window that an event is for; 0: none.
Uint32 window_of(const SDL_Event& event) {
  switch (event.type) {
    case SDL_WINDOWEVENT:
      return event.window.windowID;
    case SDL_MOUSEMOTION:
      return event.motion.windowID;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      return event.button.windowID;
    case SDL_MOUSEWHEEL:
      return event.wheel.windowID;
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
      return event.tfinger.windowID;
    case SDL_DROPFILE:
      return event.drop.windowID;
    default:
      return 0;
  }
}

bool is_press_or_focus(const SDL_Event& event) {
  const bool is_focus =
      event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_GAINED;
  return is_focus || event.type == SDL_MOUSEBUTTONDOWN || event.type == SDL_FINGERDOWN;
}

// Without a window manager a press leaves the keyboard where it was. SDL then takes the mouse away
// from the pressed window, too: a held mouse belongs to the window with the keyboard.
void focus(Uint32 number) {
  auto* window = SDL_GetWindowFromID(number);
  if (window != nullptr && window != SDL_GetKeyboardFocus()) SDL_SetWindowInputFocus(window);
}

bool is_of_keyboard(const SDL_Event& event) {
  return event.type == SDL_KEYDOWN || event.type == SDL_KEYUP || event.type == SDL_TEXTINPUT;
}

}  // namespace

void ExtraWindows::begin_with(std::vector<ExtraPlace> places, PanelState& state) {
  places_ = std::move(places);
  for (const auto& place : places_) {
    if (place.is_open) move_out(place.view, state);
  }
}

std::vector<ExtraPlace> ExtraWindows::places(const PanelState& state) const {
  auto places = places_;
  for (auto& place : places) {
    for (const auto& window : windows_) {
      if (window->view().entry.id == place.view) place = window->place();
    }
    place.is_open = is_moved_out(place.view, state);
  }
  return places;
}

ExtraWindow* ExtraWindows::find(Uint32 window) const {
  if (window == 0) return nullptr;
  const auto found =
      std::ranges::find_if(windows_, [&](const auto& each) { return each->has_id(window); });
  return found == windows_.end() ? nullptr : found->get();
}

ExtraPlace& ExtraWindows::place_of(const ExtraView& view) {
  const auto found = std::ranges::find(places_, view.entry.id, &ExtraPlace::view);
  if (found != places_.end()) return *found;
  return places_.emplace_back(ExtraPlace{.view = std::string(view.entry.id), .size = view.size});
}

bool ExtraWindows::receive(const SDL_Event& event, LocalTime now, PanelState& state) {
  if (event.type == SDL_DISPLAYEVENT) has_lost_display_ = true;
  if (is_of_keyboard(event)) return receive_key(event);
  const auto number = window_of(event);
  auto* extra = find(number);
  if (number != 0 && is_press_or_focus(event)) {
    focus(number);
    put_in_front(extra, state);
  }
  if (extra == nullptr) return false;
  extra->receive(event, now, state.is_touched);
  return true;
}

// A released key is heard by all windows, so that none keeps it pressed.
bool ExtraWindows::receive_key(const SDL_Event& event) {
  if (event.type == SDL_KEYUP) {
    for (const auto& window : windows_)
      window->receive_key(event);
    return false;
  }
  if (event.type == SDL_KEYDOWN && front_ != nullptr) {
    const auto key = event.key.keysym.sym;
    const bool leaves = key == SDLK_ESCAPE && front_->is_fullscreen() && keyboard_ != front_;
    if (key == SDLK_F11 || leaves) {
      if (event.key.repeat == 0) front_->toggle_fullscreen();
      return true;
    }
  }
  if (keyboard_ == nullptr) return false;
  keyboard_->receive_key(event);
  return true;
}

void ExtraWindows::put_in_front(ExtraWindow* extra, PanelState& state) {
  front_ = extra;
  give_keyboard_to(extra != nullptr && extra->view().has_controls() ? extra : nullptr, state);
}

void ExtraWindows::give_keyboard_to(ExtraWindow* extra, PanelState& state) {
  if (extra == keyboard_) return;
  if (keyboard_ == nullptr) leave_keyboard();
  if (keyboard_ != nullptr) keyboard_->lose_keyboard();
  keyboard_ = extra;
  if (extra != nullptr) extra->take_keyboard();
  state.extra_page = extra == nullptr ? std::string_view() : extra->view().page;
}

void ExtraWindows::leave_keyboard_to_main(PanelState& state) {
  give_keyboard_to(nullptr, state);
}

bool ExtraWindows::is_busy() const {
  return std::ranges::any_of(windows_, [](const auto& window) { return window->is_busy(); });
}

bool ExtraWindows::close_unwanted(PanelState& state) {
  for (const auto& window : windows_) {
    if (window->is_closed()) move_back(window->view().entry.id, state);
  }
  bool has_closed_front = false;
  std::erase_if(windows_, [&](const auto& window) {
    if (is_moved_out(window->view().entry.id, state)) return false;
    place_of(window->view()) = window->place();
    if (window.get() != front_) return true;
    put_in_front(nullptr, state);
    has_closed_front = true;
    return true;
  });
  return has_closed_front;
}

void ExtraWindows::open_wanted(PanelState& state, const ExtraWindow::Main& main) {
  for (const auto id : std::vector(state.moved_out)) {
    const auto has_id = [&](const auto& window) { return window->view().entry.id == id; };
    if (std::ranges::any_of(windows_, has_id)) continue;
    const auto& view = *find_extra_view(id);
    auto opened = ExtraWindow::open(view, place_of(view), main);
    if (opened) {
      windows_.push_back(*std::move(opened));
      continue;
    }
    move_back(id, state);
    state.notice = OwnNotice{opened.error().message, LocalTime::clock::now()};
  }
}

void ExtraWindows::raise(std::string_view view, PanelState& state) {
  for (const auto& window : windows_) {
    if (window->view().entry.id != view) continue;
    window->bring_to_front();
    put_in_front(window.get(), state);
  }
}

bool ExtraWindows::tend(Panel& panel, const std::shared_ptr<const session::Pictures>& pictures,
                        const ExtraWindow::Main& main) {
  auto& state = panel.state;
  const bool has_closed_front = close_unwanted(state);
  if (windows_.size() < state.moved_out.size()) open_wanted(state, main);
  if (!state.raised_view.empty()) raise(std::exchange(state.raised_view, {}), state);
  if (std::exchange(has_lost_display_, false)) {
    for (const auto& window : windows_)
      window->come_back_to_a_display(main.display);
  }
  for (const auto& window : windows_)
    window->draw(panel, pictures, main.look);
  return has_closed_front;
}

}  // namespace submix::ui
