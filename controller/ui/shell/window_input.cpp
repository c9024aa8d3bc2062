// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/window_input.hpp"

#include <imgui.h>

namespace submix::ui {

void WindowInput::receive(const SDL_Event& event, Size window, LocalTime now, bool& is_touched) {
  if (!receive_touch(event, window, now, is_touched)) queue_.add(event);
}

bool WindowInput::receive_touch(const SDL_Event& event, Size window, LocalTime now,
                                bool& is_touched) {
  switch (event.type) {
    case SDL_FINGERDOWN:
    case SDL_FINGERMOTION:
    case SDL_FINGERUP:
      touch_.process(event.tfinger, window, now);
      is_touched = true;
      return true;
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      if (touch_.is_echo(now)) return true;
      is_touched = false;
      return false;
    default:
      return false;
  }
}

void WindowInput::advance(LocalTime now) {
  constexpr auto kAnyPopup = ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel;
  touch_.advance(now, ImGui::IsPopupOpen("", kAnyPopup));
  while (const auto event = touch_.take())
    queue_.add(*event);
}

bool WindowInput::is_busy() const {
  return ImGui::IsAnyMouseDown() || touch_.is_touching() || !queue_.is_empty();
}

}  // namespace submix::ui
