// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/raster/primitive.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace submix::ui::raster {

/// Paints ImGui's frames on the processor, and of each only what differs from the one before.
///
/// Shape    The canvas is cut into tiles. A tile is painted anew when the sum of what lies on it has changed,
///          from the last thing on that hides all below.
/// Owner    The pixels, which stay between frames.
/// Threads  Compatible.
/// Cost     A frame like the one before it: one pass over its triangles. It allocates only where a frame has
///          more of them than any before.
class TileRaster {
 public:
  static constexpr int kTileWidth =
      64;  // 8 KiB of pixels: a line of text, and far below a core's cache
  static constexpr int kTileHeight = 32;

  /// Of another size all is painted anew.
  void resize(Size size);
  /// All is painted anew by the next frame.
  void forget();
  /// The places that have changed, side by side ones as one; until the next call.
  [[nodiscard]] std::span<const Box> draw(const ImDrawData& data, ImU32 background);

  [[nodiscard]] Canvas canvas() { return {pixels_.data(), size_}; }
  [[nodiscard]] Size size() const { return size_; }

 private:
  struct Tile {
    Box box;
    std::uint64_t sum = 0;
    std::uint64_t shown = 0;  // the sum of what is on the canvas; 0: nothing yet
    std::vector<std::uint32_t> primitives;
  };

  void sort_into_tiles(ImU32 background);
  void add_to_tiles(std::uint32_t index);
  void paint_tile(Tile& tile, ImU32 background);
  void add_changed(const Box& box);

  Size size_;
  int columns_ = 0;
  std::vector<std::uint32_t> pixels_;
  std::vector<Tile> tiles_;
  std::vector<Primitive> primitives_;
  std::vector<Box> changed_;
};

}  // namespace submix::ui::raster
