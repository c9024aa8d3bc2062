// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

struct SDL_Renderer;
struct SDL_Texture;

namespace submix::ui {

/// Draws Dear ImGui's triangles with an SDL_Renderer: a graphics card's or the software one.
///
/// Our own, since Debian's libimgui.a has no such back end.
/// Threads  Confined (ui). The renderer outlives it.
class DrawRenderer {
 public:
  explicit DrawRenderer(SDL_Renderer* renderer) : renderer_(renderer) {}
  ~DrawRenderer();
  DrawRenderer(const DrawRenderer&) = delete;
  DrawRenderer& operator=(const DrawRenderer&) = delete;

  /// Makes the texture of the fonts in the current ImGui context, anew after the fonts have changed.
  /// False when there is no memory for it.
  [[nodiscard]] bool upload_fonts();
  void draw(const ImDrawData& data);

 private:
  void draw_list(const ImDrawList& list, const ImDrawData& data);

  SDL_Renderer* renderer_;
  SDL_Texture* fonts_ = nullptr;
};

}  // namespace submix::ui
