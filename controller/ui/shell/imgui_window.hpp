// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/ui/draw/theme.hpp"
#include "controller/ui/shell/input_queue.hpp"

#include <SDL_events.h>
#include <imgui.h>

#include <optional>

struct SDL_Window;
struct ImGuiContext;

/// Connects a Dear ImGui context with its SDL window. Each window has a context of its own.
///
/// Threads  Confined (ui). The functions act on the current context.
namespace submix::ui {

/// The context is the current one until the end of a block.
class ContextUse {
 public:
  explicit ContextUse(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~ContextUse() { ImGui::SetCurrentContext(before_); }
  ContextUse(const ContextUse&) = delete;
  ContextUse& operator=(const ContextUse&) = delete;

 private:
  ImGuiContext* before_;
};

void start_imgui_on(SDL_Window* window);
void end_imgui();
void pass_to_imgui(const SDL_Event& event);
/// `mouse`: the mouse for this frame. Empty: SDL's present mouse, if it is not over another window
/// of this program.
void begin_imgui_frame(SDL_Window* window, const std::optional<InputQueue::Mouse>& mouse);
/// Another window has the keyboard now: a text field ends, and no key is down.
void leave_keyboard();

/// Fonts and style of one context, made anew when the wanted appearance or the letters change.
class ContextLook {
 public:
  /// True: upload the fonts.
  [[nodiscard]] bool fit(const Appearance& wanted);
  [[nodiscard]] const Fonts& fonts() const { return fonts_; }
  [[nodiscard]] float scale() const { return present_ ? present_->scale : 1; }

 private:
  Fonts fonts_;
  std::optional<Appearance> present_;
  int letters_ = 0;  // OtherLetters::changes() when the fonts were made
};

/// Destroys the window, unless its display server has ended: SDL would wait for the server.
void end_window(SDL_Window* window);
[[nodiscard]] Size size_of(SDL_Window* window);
/// The mouse's position in the window, also while another program drags something over it.
[[nodiscard]] ImVec2 mouse_in(SDL_Window* window);

}  // namespace submix::ui
