// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/clock.hpp"
#include "common/base/result.hpp"
#include "controller/session/session_core.hpp"
#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/draw/picture_textures.hpp"
#include "controller/ui/draw/theme.hpp"
#include "controller/ui/pages/second_view.hpp"
#include "controller/ui/panel.hpp"

#include <SDL_events.h>

#include <memory>

struct ImGuiContext;

namespace submix::ui {

/// A window beside the main one that shows pictures only: a window of SDL with a Dear ImGui context
/// and a Drawing of its own, drawn by the same thread right after the main window.
///
/// Shape    The keyboard stays the main window's, but for F11 and Escape.
/// Threads  Confined (ui), which is the main thread.
/// Cost     It draws when new pictures have come, or its pixels are lost; it asks for no picture
///          that the main window has already.
class SecondWindow {
 public:
  struct Main {
    bool is_low_power = false;  ///< the processor draws
    float scale = 1;
    int display = 0;
  };
  /// At `place`. If no display is there now: on a display beside the main window's, if there is one,
  /// and not full screen.
  [[nodiscard]] static Result<std::unique_ptr<SecondWindow>> open(const SecondPlace& place,
                                                                  const Main& main);
  ~SecondWindow();
  SecondWindow(const SecondWindow&) = delete;
  SecondWindow& operator=(const SecondWindow&) = delete;

  /// True: the event was this window's, and nobody else may have it.
  [[nodiscard]] bool process(const SDL_Event& event);
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  /// Draws if there is something new. `pictures` are those of `main`.
  void draw(Panel& main, const std::shared_ptr<const session::Pictures>& pictures);
  [[nodiscard]] SecondPlace place() const;

 private:
  SecondWindow(SDL_Window* window, std::unique_ptr<Drawing> drawing);
  [[nodiscard]] Result<void> start(float scale);
  [[nodiscard]] bool is_news(const Panel& main) const;
  void show(Panel& panel);
  void set_fullscreen(bool is_fullscreen);
  void cover_display();
  void tap(Uint32 milliseconds);
  void show_title();

  SDL_Window* window_;
  ImGuiContext* context_;
  std::unique_ptr<Drawing> drawing_;
  std::unique_ptr<PictureTextures> textures_;
  Fonts fonts_;
  bool is_closed_ = false;
  bool is_lost_ = true;  // its pixels, or never drawn
  bool is_fullscreen_ = false;
  Uint32 tapped_ = 0;               // the last tap, by SDL's clock
  bool is_placed_by_hand_ = false;  // no window manager makes it full screen
  SecondPlace window_place_;        // while it is not full screen
  SecondView view_ = SecondView::none;
  bool was_black_ = false;
  LocalTime drawn_at_{};
  std::shared_ptr<const session::Pictures> shown_;
};

}  // namespace submix::ui
