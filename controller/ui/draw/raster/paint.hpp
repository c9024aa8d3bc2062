// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/raster/canvas.hpp"

#include <imgui.h>

#include <array>

/// The window's few shapes, as pixels on a canvas.
///
/// Shape    Each paints within `box`, which lies on the canvas. Colours are ImGui's; what shows through is
///          colour * alpha / 255 + ground * (255 - alpha) / 255, both rounded down, as SDL does it.
/// Cost     Nothing but the pixels of `box`; of a triangle only those inside. They never allocate.
namespace submix::ui::raster {

void fill(const Canvas& canvas, const Box& box, ImU32 color);

/// A part of a texture of alpha, pixel for pixel: that of (x, y) stands at (x + dx, y + dy) in the texture.
struct Stencil {
  const Texture* texture = nullptr;
  int dx = 0;
  int dy = 0;
};
void stamp(const Canvas& canvas, const Box& box, const Stencil& stencil, ImU32 color);

/// A texture's part `from` laid out over `to`. Pictures take the nearest pixel, alpha is smoothed.
struct Stretch {
  const Texture* texture = nullptr;
  Box from;
  Box to;
};
void stretch(const Canvas& canvas, const Box& box, const Stretch& stretch, ImU32 color);

/// Three corners with colours of their own; `texture` may be null. A pixel belongs to the triangle that has
/// its middle; on an edge, to the one below or to the right of it.
void fill_triangle(const Canvas& canvas, const Box& box, const std::array<ImDrawVert, 3>& corners,
                   const Texture* texture);

}  // namespace submix::ui::raster
