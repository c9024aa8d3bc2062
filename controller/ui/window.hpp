// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/image.hpp"
#include "controller/ui/draw_renderer.hpp"

#include <filesystem>
#include <memory>
#include <string>

struct SDL_Window;
struct SDL_Renderer;
union SDL_Event;

namespace submix::ui {

/// The one window: SDL's window and renderer with a Dear ImGui context.
///
/// Shape    A graphics card draws where there is one; else SDL's software renderer, which is three times as
///          quick as OpenGL emulated on the processor. is_low_power() tells.
/// Threads  Confined (ui), which is the main thread. wake(): Synchronized.
class Window {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Window>> open(const std::string& title, Size size);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Hands an event to ImGui.
  void process(const SDL_Event& event);
  void begin_frame();
  void end_frame();
  /// What end_frame() has drawn last.
  [[nodiscard]] Result<media::Rgb24Image> screenshot();
  /// To be called after the fonts in ImGui's atlas have changed.
  [[nodiscard]] Result<void> upload_fonts();

  [[nodiscard]] Size size() const;
  [[nodiscard]] bool is_low_power() const { return is_low_power_; }
  [[nodiscard]] SDL_Renderer* renderer() const { return renderer_; }
  /// Makes SDL_WaitEventTimeout() return.
  static void wake();

 private:
  Window(SDL_Window* window, SDL_Renderer* renderer, bool is_low_power);

  SDL_Window* window_;
  SDL_Renderer* renderer_;
  bool is_low_power_;
  std::unique_ptr<DrawRenderer> drawing_;
};

}  // namespace submix::ui
