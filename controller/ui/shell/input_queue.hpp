// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SDL_events.h>

#include <array>
#include <deque>
#include <optional>

namespace submix::ui {

/// Events of the keyboard and mouse, in order, distributed to frames. ImGui 1.86 reads keys and the
/// mouse once a frame. An event that would hide an earlier one from ImGui waits for the next frame.
/// So no short press, typed letter or double click is lost, however long a frame takes.
///
/// Shape    A frame gets any number of letters, then one press of another key or one change of the
///          mouse buttons.
/// Threads  Confined (ui).
class InputQueue {
 public:
  /// The mouse for ImGui's next frame.
  struct Mouse {
    float x = 0;
    float y = 0;
    /// By ImGui's button numbers.
    std::array<bool, 3> is_down{};
  };

  void add(const SDL_Event& event) { events_.push_back(event); }
  /// The next event for the next frame. Empty: the remaining events must wait.
  [[nodiscard]] std::optional<SDL_Event> take();
  /// Returns the event taken last to the queue. It and all later events wait for the next frame.
  void put_back(const SDL_Event& event);
  /// A frame has seen the taken events. `is_field_coming`: a text field has requested the keyboard
  /// and gets it one frame later; until then all events wait.
  void end_frame(bool is_field_coming);
  [[nodiscard]] bool is_empty() const { return events_.empty(); }
  /// Empty while no mouse event waits: then SDL's position is valid. SDL does not know the position
  /// of a finger's mouse, so for a finger the result is never empty.
  [[nodiscard]] std::optional<Mouse> mouse() const;

 private:
  /// The events that the next frame has got so far.
  struct Dealt {
    bool is_all = false;  ///< the frame gets no more events
    bool has_text = false;
    bool has_key_up = false;
    bool has_motion = false;
  };
  [[nodiscard]] bool has_to_wait(const SDL_Event& event) const;
  void deal(const SDL_Event& event);
  void move_mouse(int x, int y);
  void turn_button(const SDL_MouseButtonEvent& button);

  std::deque<SDL_Event> events_;
  Dealt dealt_;
  Mouse mouse_;
  bool is_mouse_known_ = false;
  bool is_finger_ = false;  // the last mouse event that was dealt is a finger's
};

}  // namespace submix::ui
