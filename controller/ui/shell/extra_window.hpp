// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "controller/session/session_core.hpp"
#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/pages/extra_views.hpp"
#include "controller/ui/panel.hpp"
#include "controller/ui/shell/imgui_window.hpp"
#include "controller/ui/shell/window_input.hpp"

#include <SDL_events.h>

#include <memory>
#include <vector>

namespace submix::ui {

/// A window beside the main one that shows one view. It is a window of SDL with a Dear ImGui
/// context and a Drawing of its own. The same thread draws it right after the main window.
///
/// Shape    A page or panel is used as in the main window, and its actions go the same way. The
///          programme and the wall take no keys but F11 and Escape.
/// Threads  Confined (ui), which is the main thread.
/// Cost     The programme and the wall are drawn only when new pictures have come, or the pixels
///          are lost. They ask for no picture that the main window already has. A page is drawn
///          with the main window.
class ExtraWindow {
 public:
  struct Main {
    Appearance look{};  ///< with the scale that the person wants
    int display = 0;
  };
  /// Opens at `place`. If no display is there now: on another display than the main window's, if
  /// there is one, and not full screen.
  [[nodiscard]] static Result<std::unique_ptr<ExtraWindow>> open(const ExtraView& view,
                                                                 const ExtraPlace& place,
                                                                 const Main& main);
  ~ExtraWindow();
  ExtraWindow(const ExtraWindow&) = delete;
  ExtraWindow& operator=(const ExtraWindow&) = delete;

  [[nodiscard]] const ExtraView& view() const { return view_; }
  [[nodiscard]] ImGuiContext* context() const { return context_; }
  [[nodiscard]] bool has_id(Uint32 window) const;
  /// An event of this window's mouse, fingers or frame.
  void receive(const SDL_Event& event, LocalTime now, bool& is_touched);
  /// A key or a text, while this window has the keyboard.
  void receive_key(const SDL_Event& event);
  /// The events of the next frame; process() passes each on. This context is current for both.
  [[nodiscard]] WindowInput& input() { return input_; }
  void process(const SDL_Event& event);
  void take_keyboard() { has_keyboard_ = true; }
  void lose_keyboard();
  [[nodiscard]] bool is_busy() const;

  [[nodiscard]] bool is_closed() const { return is_closed_; }
  [[nodiscard]] bool is_fullscreen() const { return is_fullscreen_; }
  void toggle_fullscreen() { set_fullscreen(!is_fullscreen_); }
  void bring_to_front();
  /// Moves the window to the main window's display if its own display is gone.
  void come_back_to_a_display(int main_display);
  /// Draws if there is something new. `pictures` are those of `main`.
  void draw(Panel& main, const std::shared_ptr<const session::Pictures>& pictures,
            const Appearance& look);
  [[nodiscard]] ExtraPlace place() const;

 private:
  ExtraWindow(const ExtraView& view, SDL_Window* window, std::unique_ptr<Drawing> drawing);
  [[nodiscard]] Result<void> fit(const Appearance& look);
  [[nodiscard]] bool is_news(const Panel& main) const;
  void show(Panel& panel);
  void draw_content(Panel& panel);
  void draw_bar(Panel& panel);
  void set_fullscreen(bool is_fullscreen);
  void cover_display();
  void tap(Uint32 milliseconds);

  const ExtraView& view_;
  SDL_Window* window_;
  ImGuiContext* context_;
  std::unique_ptr<Drawing> drawing_;
  std::unique_ptr<PictureTextures> textures_;
  ContextLook look_;
  WindowInput input_;
  std::vector<DroppedFile> dropped_;
  bool has_keyboard_ = false;
  bool is_closed_ = false;
  bool is_lost_ = true;  // its pixels, or never drawn
  bool is_fullscreen_ = false;
  bool wants_fullscreen_toggle_ = false;  // by its button
  Uint32 tapped_ = 0;                     // the last tap, by SDL's clock
  bool is_placed_by_hand_ = false;        // no window manager makes it full screen
  ExtraPlace window_place_;               // while it is not full screen
  bool was_black_ = false;
  LocalTime drawn_at_{};
  std::shared_ptr<const session::Pictures> shown_;
};

}  // namespace submix::ui
