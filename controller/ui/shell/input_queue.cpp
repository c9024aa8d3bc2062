// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/input_queue.hpp"

#include <SDL_touch.h>

#include <algorithm>

namespace submix::ui {
namespace {

bool is_control(const SDL_Keysym& key) {
  return key.sym == SDLK_LCTRL || key.sym == SDLK_RCTRL;
}

bool is_modifier(const SDL_Keysym& key) {
  switch (key.sym) {
    case SDLK_LSHIFT:
    case SDLK_RSHIFT:
    case SDLK_LALT:
    case SDLK_RALT:
    case SDLK_LGUI:
    case SDLK_RGUI:
    case SDLK_MODE:
      return true;
    default:
      return is_control(key);
  }
}

// ImGui needs only the text of such a key, which arrives as an event of its own.
bool is_letter(const SDL_Keysym& key) {
  constexpr int kNoText = KMOD_CTRL | KMOD_ALT | KMOD_GUI;
  return (key.mod & kNoText) == 0 && key.sym >= SDLK_SPACE && key.sym != SDLK_DELETE &&
         (key.sym & SDLK_SCANCODE_MASK) == 0;
}

bool is_of_mouse(const SDL_Event& event) {
  return event.type == SDL_MOUSEMOTION || event.type == SDL_MOUSEBUTTONDOWN ||
         event.type == SDL_MOUSEBUTTONUP;
}

bool is_press(const SDL_KeyboardEvent& key) {
  return key.repeat == 0 && !is_modifier(key.keysym) && !is_letter(key.keysym);
}

}  // namespace

std::optional<SDL_Event> InputQueue::take() {
  if (events_.empty() || has_to_wait(events_.front())) return std::nullopt;
  const auto event = events_.front();
  events_.pop_front();
  deal(event);
  return event;
}

void InputQueue::put_back(const SDL_Event& event) {
  events_.push_front(event);
  dealt_.is_all = true;
}

void InputQueue::end_frame(bool is_field_coming) {
  dealt_ = {};
  dealt_.is_all = is_field_coming;
}

std::optional<InputQueue::Mouse> InputQueue::mouse() const {
  const bool is_behind = is_mouse_known_ && std::ranges::any_of(events_, is_of_mouse);
  return is_behind || is_finger_ ? std::optional(mouse_) : std::nullopt;
}

// Within one frame ImGui drops text while Ctrl is down, and takes a pressed and released key for a
// held key. A slider moves to the mouse's place of the frame before.
bool InputQueue::has_to_wait(const SDL_Event& event) const {
  if (dealt_.is_all) return true;
  switch (event.type) {
    case SDL_KEYDOWN:
      return is_control(event.key.keysym) ? dealt_.has_text
                                          : dealt_.has_key_up && is_press(event.key);
    case SDL_MOUSEBUTTONUP:
      return dealt_.has_motion;
    default:
      return false;
  }
}

void InputQueue::deal(const SDL_Event& event) {
  switch (event.type) {
    case SDL_KEYDOWN:
      dealt_.is_all = is_press(event.key);
      break;
    case SDL_KEYUP:
      dealt_.has_key_up = dealt_.has_key_up || !is_modifier(event.key.keysym);
      break;
    case SDL_TEXTINPUT:
      dealt_.has_text = true;
      break;
    case SDL_MOUSEMOTION:
      dealt_.has_motion = true;
      is_finger_ = event.motion.which == SDL_TOUCH_MOUSEID;
      move_mouse(event.motion.x, event.motion.y);
      break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      dealt_.is_all = true;
      is_finger_ = event.button.which == SDL_TOUCH_MOUSEID;
      move_mouse(event.button.x, event.button.y);
      turn_button(event.button);
      break;
    default:
      break;
  }
}

void InputQueue::move_mouse(int x, int y) {
  mouse_.x = static_cast<float>(x);
  mouse_.y = static_cast<float>(y);
  is_mouse_known_ = true;
}

void InputQueue::turn_button(const SDL_MouseButtonEvent& button) {
  const bool is_down = button.type == SDL_MOUSEBUTTONDOWN;
  if (button.button == SDL_BUTTON_LEFT) mouse_.is_down[0] = is_down;
  if (button.button == SDL_BUTTON_RIGHT) mouse_.is_down[1] = is_down;
  if (button.button == SDL_BUTTON_MIDDLE) mouse_.is_down[2] = is_down;
}

}  // namespace submix::ui
