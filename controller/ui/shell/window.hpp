// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/image.hpp"
#include "controller/ui/draw/drawing.hpp"
#include "controller/ui/shell/input_queue.hpp"
#include "controller/ui/shell/room_beside.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

struct SDL_Window;

namespace submix::ui {

/// The main window: SDL's window with a Dear ImGui context and a Drawing.
///
/// Shape    A graphics card draws if there is one. Otherwise the processor draws without OpenGL,
///          which would be emulated. is_low_power() tells which.
/// Threads  Confined (ui), which is the main thread. wake(): Synchronized.
class Window {
 public:
  /// Opens at the left edge of a display with room for an output beside the window, else in the
  /// middle. Empty `wanted`: kWindowUsual, or first_size() on the only display.
  [[nodiscard]] static Result<std::unique_ptr<Window>> open(const std::string& title,
                                                            std::optional<Size> wanted);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Passes an event to ImGui.
  void process(const SDL_Event& event);
  /// `mouse`: the mouse for this frame. Empty: SDL's present mouse.
  void begin_frame(const std::optional<InputQueue::Mouse>& mouse);
  /// Shows the result of ImGui::Render().
  void end_frame();
  /// The picture of the last end_frame().
  [[nodiscard]] Result<media::Rgb24Image> screenshot();
  /// Call it after the fonts in ImGui's atlas have changed.
  [[nodiscard]] Result<void> upload_fonts();

  [[nodiscard]] Size size() const;
  /// SDL's number of the window's display.
  [[nodiscard]] int display() const;
  /// The place for a picture beside the window, from its display's corner. Empty: there is no room,
  /// or it cannot be known (Wayland).
  [[nodiscard]] std::optional<DesktopArea> place_beside(Size picture) const;
  /// The mouse's position in the window, also while another program drags something over it.
  [[nodiscard]] ImVec2 mouse_in_window() const;
  [[nodiscard]] bool is_low_power() const { return is_low_power_; }
  [[nodiscard]] Drawing& drawing() { return *drawing_; }
  void bring_to_front();
  /// Call it after a window of this program that had the keyboard was closed.
  void take_keyboard();
  /// Makes SDL_WaitEventTimeout() return.
  static void wake();

 private:
  Window(SDL_Window* window, std::unique_ptr<Drawing> drawing, bool is_low_power);

  SDL_Window* window_;
  bool is_low_power_;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace submix::ui
