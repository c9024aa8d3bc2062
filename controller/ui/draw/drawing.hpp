// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/base/units.hpp"
#include "common/media/image.hpp"

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <span>

struct SDL_Window;

namespace submix::ui {

/// Draws Dear ImGui's triangles into the window, on a graphics card or on the processor.
///
/// Threads  Confined (ui). The window and ImGui's context outlive the drawing.
class Drawing {
 public:
  virtual ~Drawing() = default;

  /// Makes the font texture of the current ImGui context. Call it again after the fonts have
  /// changed.
  [[nodiscard]] virtual Result<void> upload_fonts() = 0;
  /// Makes a texture for pictures of `size`. Null when memory is short.
  [[nodiscard]] virtual ImTextureID make_picture(Size size) = 0;
  /// `rgba` has as many pixels as the texture was made for.
  virtual void set_picture(ImTextureID picture, std::span<const std::uint8_t> rgba) = 0;
  virtual void free_picture(ImTextureID picture) = 0;

  virtual void show(const ImDrawData& data) = 0;
  /// The window's pixels on the screen may be lost: the next show() draws all of them.
  virtual void forget() {}
  /// The picture that show() would draw from `data`.
  [[nodiscard]] virtual Result<media::Rgb24Image> screenshot(const ImDrawData& data) = 0;
};

/// Both return null on failure; SDL_GetError() has the reason. `waits_for_screen`: show() waits for
/// the screen's next picture. One window of a program may do so; others would slow it down.
[[nodiscard]] std::unique_ptr<Drawing> draw_on_card(SDL_Window* window,
                                                    bool waits_for_screen = true);
[[nodiscard]] std::unique_ptr<Drawing> draw_on_processor(SDL_Window* window);

}  // namespace submix::ui
