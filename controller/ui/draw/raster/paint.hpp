// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/raster/pixel_view.hpp"

#include <imgui.h>

#include <array>

/// Paints the window's few shapes onto a canvas.
///
/// Shape    Each function paints within `box`, which lies on the canvas. Colours are ImGui's. A
///          translucent colour gives colour * alpha / 255 + ground * (255 - alpha) / 255, both
///          rounded down, as in SDL.
/// Cost     Proportional to the pixels of `box`; of a triangle, only to the pixels inside. No
///          allocation.
namespace submix::ui::raster {

void fill(const PixelView& canvas, const Box& box, ImU32 color);

/// A part of an alpha texture, drawn pixel for pixel. Canvas pixel (x, y) takes texture pixel (x +
/// dx, y + dy).
struct Stencil {
  const Texture* texture = nullptr;
  int dx = 0;
  int dy = 0;
};
void stamp(const PixelView& canvas, const Box& box, const Stencil& stencil, ImU32 color);

/// The part `from` of a texture, scaled to `to`. Pictures use the nearest pixel; alpha is
/// interpolated.
struct Stretch {
  const Texture* texture = nullptr;
  Box from;
  Box to;
};
void stretch(const PixelView& canvas, const Box& box, const Stretch& stretch, ImU32 color);

/// Three corners, each with its own colour; `texture` may be null. A pixel belongs to the triangle
/// that contains its centre. A centre on an edge belongs to the triangle below or to the right.
void fill_triangle(const PixelView& canvas, const Box& box,
                   const std::array<ImDrawVert, 3>& corners, const Texture* texture);

}  // namespace submix::ui::raster
