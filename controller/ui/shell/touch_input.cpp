// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/touch_input.hpp"

#include <SDL_touch.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace submix::ui {
namespace {

constexpr float kSlip = 12;  // pixels that a resting finger may move
constexpr std::chrono::milliseconds kLongPress{550};
constexpr std::chrono::milliseconds kHoldAfterMenu{250};
constexpr std::chrono::milliseconds kDoubleTap{350};
constexpr float kDoubleTapReach = 28;  // pixels; ImGui itself allows 6
constexpr std::chrono::milliseconds kEchoTime{500};
constexpr float kPixelsPerNotch = 75;  // as far as a notch of the wheel scrolls
constexpr float kNowhere = -10'000;

float distance(float dx, float dy) {
  return std::hypot(dx, dy);
}

}  // namespace

void TouchInput::process(const SDL_TouchFingerEvent& finger, Size window, LocalTime now) {
  touched_ = now;
  const Finger moved{
      finger.fingerId,
      {finger.x * static_cast<float>(window.width), finger.y * static_cast<float>(window.height)}};
  switch (finger.type) {
    case SDL_FINGERDOWN:
      return come(moved, now);
    case SDL_FINGERMOTION:
      return move(moved);
    case SDL_FINGERUP:
      return go(moved, now);
    default:
      return;
  }
}

void TouchInput::come(const Finger& finger, LocalTime now) {
  ++fingers_;
  if (state_ == State::none) {
    first_ = finger;
    start_ = finger.at;
    since_ = now;
    state_ = State::pressed;
    send_motion(finger.at);
    return;
  }
  const bool may_scroll = state_ == State::pressed || state_ == State::dragging;
  if (fingers_ != 2 || !may_scroll) return;
  if (state_ == State::dragging) send_button(SDL_BUTTON_LEFT, false, first_->at);
  second_ = finger;
  state_ = State::scrolling;
}

void TouchInput::move(const Finger& finger) {
  auto* before = known(finger.id);
  if (before == nullptr) return;
  if (state_ == State::scrolling) return scroll(finger);
  before->at = finger.at;
  if (&*first_ != before) return;
  const bool has_moved = distance(finger.at.x - start_.x, finger.at.y - start_.y) > kSlip;
  if (state_ == State::pressed && has_moved) {
    send_motion(start_);
    send_button(SDL_BUTTON_LEFT, true, start_);
    state_ = State::dragging;
  }
  if (state_ == State::dragging) send_motion(finger.at);
}

void TouchInput::go(const Finger& finger, LocalTime now) {
  fingers_ = std::max(0, fingers_ - 1);
  const bool is_first = first_ && first_->id == finger.id;
  if (is_first && state_ == State::pressed) tap(finger.at, now);
  if (is_first && state_ == State::dragging) {
    send_button(SDL_BUTTON_LEFT, false, finger.at);
    leave();
  }
  if (is_first && state_ == State::waiting) leave();
  if (state_ == State::scrolling) leave();
  state_ = fingers_ == 0 ? State::none : State::over;
  if (fingers_ > 0) return;
  first_.reset();
  second_.reset();
}

// A second tap nearby is at the place of the first one, so that both are a double click.
void TouchInput::tap(Point at, LocalTime now) {
  const bool is_near = distance(at.x - tapped_at_.x, at.y - tapped_at_.y) < kDoubleTapReach;
  if (now - tapped_ < kDoubleTap && is_near) at = tapped_at_;
  tapped_at_ = at;
  tapped_ = now;
  send_motion(at);
  send_button(SDL_BUTTON_LEFT, true, at);
  send_button(SDL_BUTTON_LEFT, false, at);
  leave();
}

void TouchInput::scroll(const Finger& finger) {
  auto* before = known(finger.id);
  const float dx = (finger.at.x - before->at.x) / 2;  // each finger moves the middle by half
  const float dy = (finger.at.y - before->at.y) / 2;
  before->at = finger.at;
  SDL_Event event{};
  event.type = SDL_MOUSEWHEEL;
  event.wheel.which = SDL_TOUCH_MOUSEID;
  event.wheel.preciseX = dx / kPixelsPerNotch;
  event.wheel.preciseY = dy / kPixelsPerNotch;
  events_.push_back(event);
}

void TouchInput::advance(LocalTime now, bool is_menu_open) {
  if (state_ == State::pressed && now - since_ >= kLongPress) {
    send_motion(start_);
    send_button(SDL_BUTTON_RIGHT, true, start_);
    send_button(SDL_BUTTON_RIGHT, false, start_);
    state_ = State::waiting;
    since_ = now;
  } else if (state_ == State::waiting && now - since_ >= kHoldAfterMenu && !is_menu_open) {
    send_button(SDL_BUTTON_LEFT, true, start_);
    state_ = State::dragging;
  }
}

std::optional<SDL_Event> TouchInput::take() {
  if (events_.empty()) return std::nullopt;
  const auto event = events_.front();
  events_.pop_front();
  return event;
}

bool TouchInput::is_echo(LocalTime now) const {
  return is_touching() || now - touched_ < kEchoTime;
}

void TouchInput::send_motion(Point to) {
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.which = SDL_TOUCH_MOUSEID;
  event.motion.x = static_cast<Sint32>(std::lround(to.x));
  event.motion.y = static_cast<Sint32>(std::lround(to.y));
  events_.push_back(event);
}

void TouchInput::send_button(Uint8 button, bool is_down, Point at) {
  SDL_Event event{};
  event.type = is_down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
  event.button.which = SDL_TOUCH_MOUSEID;
  event.button.button = button;
  event.button.state = is_down ? SDL_PRESSED : SDL_RELEASED;
  event.button.clicks = 1;
  event.button.x = static_cast<Sint32>(std::lround(at.x));
  event.button.y = static_cast<Sint32>(std::lround(at.y));
  events_.push_back(event);
}

// Nothing lies below the mouse when no finger is there: no tooltip stays open.
void TouchInput::leave() {
  send_motion({kNowhere, kNowhere});
}

TouchInput::Finger* TouchInput::known(SDL_FingerID id) {
  if (first_ && first_->id == id) return &*first_;
  return second_ && second_->id == id ? &*second_ : nullptr;
}

}  // namespace submix::ui
