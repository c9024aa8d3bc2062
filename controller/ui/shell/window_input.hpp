// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/units.hpp"
#include "controller/ui/shell/input_queue.hpp"
#include "controller/ui/shell/touch_input.hpp"

#include <SDL_events.h>

#include <optional>

namespace submix::ui {

/// Keys, mouse and fingers of one window, on their way to the frames of its Dear ImGui context.
///
/// Threads  Confined (ui). The window's context is the current one.
class WindowInput {
 public:
  /// An event of a window of this size. The mouse clears `is_touched`.
  void receive(const SDL_Event& event, Size window, LocalTime now, bool& is_touched);
  /// Time has passed: a resting finger becomes a right click.
  void advance(LocalTime now);
  /// As in InputQueue.
  [[nodiscard]] std::optional<SDL_Event> take() { return queue_.take(); }
  void put_back(const SDL_Event& event) { queue_.put_back(event); }
  /// As in InputQueue. Sets `is_touched` only after a finger's gesture: controls grow for fingers,
  /// and must not move below a finger.
  void end_frame(bool is_field_coming, bool& is_touched);
  [[nodiscard]] std::optional<InputQueue::Mouse> mouse() const { return queue_.mouse(); }
  /// Whether it wants frames: events wait, or something is held and may repeat.
  [[nodiscard]] bool is_busy() const;

 private:
  /// False: not from fingers or the mouse, or to be passed on.
  [[nodiscard]] bool receive_touch(const SDL_Event& event, Size window, LocalTime now,
                                   bool& is_touched);

  InputQueue queue_;
  TouchInput touch_;
  bool is_finger_ = false;  // a finger came after the mouse, and its gesture has not ended
};

}  // namespace submix::ui
