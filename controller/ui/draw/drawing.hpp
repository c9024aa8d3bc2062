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

/// Brings Dear ImGui's triangles onto the window: on a graphics card, or on the processor.
///
/// Threads  Confined (ui). The window and ImGui's context outlive it.
class Drawing {
 public:
  virtual ~Drawing() = default;

  /// Makes the texture of the fonts in the current ImGui context, anew after the fonts have changed.
  [[nodiscard]] virtual Result<void> upload_fonts() = 0;
  /// A texture for pictures of that size. Null when there is no memory for it.
  [[nodiscard]] virtual ImTextureID make_picture(Size size) = 0;
  /// `rgba` has as many pixels as it was made for.
  virtual void set_picture(ImTextureID picture, std::span<const std::uint8_t> rgba) = 0;
  virtual void free_picture(ImTextureID picture) = 0;

  virtual void show(const ImDrawData& data) = 0;
  /// The window's pixels on the screen may be gone: the next show() brings all of them.
  virtual void forget() {}
  /// What show() makes of `data`.
  [[nodiscard]] virtual Result<media::Rgb24Image> screenshot(const ImDrawData& data) = 0;
};

/// Null, and SDL_GetError() tells why, where there is no such thing.
[[nodiscard]] std::unique_ptr<Drawing> draw_on_card(SDL_Window* window);
[[nodiscard]] std::unique_ptr<Drawing> draw_on_processor(SDL_Window* window);

}  // namespace submix::ui
