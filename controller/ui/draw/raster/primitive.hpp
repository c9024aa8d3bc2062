// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/raster/canvas.hpp"

#include <imgui.h>

#include <cstdint>
#include <vector>

namespace submix::ui::raster {

/// One thing to paint: two triangles that make an upright rectangle, or one triangle.
///
/// Owner    `vertices` and `indices` are the draw list's, which stands until ImGui's next frame.
struct Primitive {
  enum class Kind : std::uint8_t { fill, stamp, stretch, triangle };

  Kind kind = Kind::fill;
  Box box;                ///< that it may change; never empty
  ImU32 color = 0;        ///< of all but a triangle
  std::uint64_t sum = 0;  ///< of all that decides which pixels come out; equal ones paint the same
  const Texture* texture = nullptr;
  Box from;  ///< of the texture; of a stamp only the upper left corner counts, as in Stencil
  Box to;    ///< what `from` is laid out over
  const ImDrawVert* vertices = nullptr;
  const ImDrawIdx* indices = nullptr;
};

/// Appends what is to be painted, in order, without what is outside of `canvas` or lets all through.
/// ImGui's texture ids are `const Texture*`. Cost: one pass; allocates where `primitives` must grow.
void collect(const ImDrawData& data, const Box& canvas, std::vector<Primitive>& primitives);

void paint(const Primitive& primitive, const Canvas& canvas, const Box& box);

}  // namespace submix::ui::raster
