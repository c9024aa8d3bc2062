// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"

#include <SDL_events.h>

#include <deque>
#include <optional>

namespace submix::ui {

/// Fingers on a touch screen, turned into the events of a mouse. A tap is a click. A finger that
/// moves drags from where it came down. A finger that rests is a right click; if that opens no
/// menu, it then holds the left button. Two fingers scroll.
///
/// Shape    The left button goes down only once a finger moves or is lifted, so that neither a long
///          press nor a scroll moves the fader below it. The events have SDL_TOUCH_MOUSEID.
/// Threads  Confined (ui).
class TouchInput {
 public:
  void process(const SDL_TouchFingerEvent& finger, Size window, LocalTime now);
  /// Time has passed. `is_menu_open`: a context menu is open now.
  void advance(LocalTime now, bool is_menu_open);
  /// The next event of the mouse.
  [[nodiscard]] std::optional<SDL_Event> take();
  [[nodiscard]] bool is_touching() const { return state_ != State::none; }
  /// Whether a mouse event comes from a finger: some systems send both.
  [[nodiscard]] bool is_echo(LocalTime now) const;

 private:
  enum class State {
    none,
    pressed,    // not decided yet
    dragging,   // the left button is down
    waiting,    // after a right click
    scrolling,  // two fingers
    over,       // the rest of the gesture is ignored
  };
  struct Point {
    float x = 0;
    float y = 0;
  };
  struct Finger {
    SDL_FingerID id = 0;
    Point at;
  };

  void come(const Finger& finger, LocalTime now);
  void move(const Finger& finger);
  void go(const Finger& finger, LocalTime now);
  void tap(Point at, LocalTime now);
  void scroll(const Finger& finger);
  void send_motion(Point to);
  void send_button(Uint8 button, bool is_down, Point at);
  void leave();
  [[nodiscard]] Finger* known(SDL_FingerID id);

  State state_ = State::none;
  std::optional<Finger> first_;
  std::optional<Finger> second_;
  int fingers_ = 0;
  Point start_;
  LocalTime since_{};  // of the state
  Point tapped_at_;
  LocalTime tapped_{};
  LocalTime touched_{};
  std::deque<SDL_Event> events_;
};

}  // namespace submix::ui
