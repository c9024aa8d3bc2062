// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/window_input.hpp"

#include <imgui.h>

#include <utility>

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
      is_finger_ = true;
      return true;
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      if (touch_.is_echo(now)) return true;
      is_finger_ = is_touched = false;
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

void WindowInput::end_frame(bool is_field_coming, bool& is_touched) {
  queue_.end_frame(is_field_coming);
  const bool is_over = !touch_.is_touching() && queue_.is_empty();
  if (is_over && std::exchange(is_finger_, false)) is_touched = true;
}

bool WindowInput::is_busy() const {
  return ImGui::IsAnyMouseDown() || touch_.is_touching() || !queue_.is_empty();
}

}  // namespace submix::ui
