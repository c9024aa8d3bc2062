// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <SDL_events.h>

#include <array>
#include <deque>
#include <optional>

namespace submix::ui {

/// What people did, in its order, dealt out to the frames. ImGui 1.86 looks at keys and at the mouse once a
/// frame, so what would hide something from it waits for the next one: however long a frame takes, a short
/// press, what is typed and a double click are not lost.
///
/// Shape    Of each frame: any letters, then one press of another key or one change of the mouse's buttons.
/// Threads  Confined (ui).
class InputQueue {
 public:
  /// The mouse as ImGui's next frame is to see it.
  struct Mouse {
    float x = 0;
    float y = 0;
    std::array<bool, 3> is_down{};  ///< by ImGui's numbers
  };

  void add(const SDL_Event& event) { events_.push_back(event); }
  /// The next thing that the next frame may see; empty: it has all it may.
  [[nodiscard]] std::optional<SDL_Event> take();
  /// What was just taken waits for the next frame after all, and all behind it, too.
  void put_back(const SDL_Event& event);
  /// A frame has seen what was taken. `is_field_coming`: a field has asked for the keyboard and has it in the
  /// frame after this one; till then all waits.
  void end_frame(bool is_field_coming);
  [[nodiscard]] bool is_empty() const { return events_.empty(); }
  /// Empty while nothing of it waits: then it is as SDL knows it.
  [[nodiscard]] std::optional<Mouse> mouse() const;

 private:
  /// What the next frame is to see.
  struct Dealt {
    bool is_all = false;  ///< and nothing more
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
};

}  // namespace submix::ui
