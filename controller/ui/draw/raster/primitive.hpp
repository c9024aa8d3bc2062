// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/raster/pixel_view.hpp"

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace submix::ui::raster {

/// One shape to paint: two triangles that form an upright rectangle, or one triangle.
///
/// Owner    `vertices` and `indices` belong to the draw list, which lives until ImGui's next frame.
struct Primitive {
  enum class Kind : std::uint8_t { fill, stamp, stretch, triangle };

  Kind kind = Kind::fill;
  Box box;                ///< pixels that the shape may change; never empty
  ImU32 color = 0;        ///< unused for a triangle
  std::uint64_t sum = 0;  ///< checksum of everything that decides the resulting pixels
  const Texture* texture = nullptr;
  Box from;  ///< part of the texture; of a stamp only the upper left corner counts, as in Stencil
  Box to;    ///< rectangle that `from` is scaled to
  const ImDrawVert* vertices = nullptr;
  const ImDrawIdx* indices = nullptr;
};

/// Appends the shapes of `data` in drawing order. Shapes outside of `canvas` and fully transparent
/// shapes are left out. ImGui's texture ids are `const Texture*`.
///
/// Cost     One pass; allocates only if `primitives` must grow.
void collect(const ImDrawData& data, const Box& canvas, std::vector<Primitive>& primitives);

void paint(const Primitive& primitive, const PixelView& canvas, const Box& box);

}  // namespace submix::ui::raster
