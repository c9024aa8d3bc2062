// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/ui/draw/raster/primitive.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace submix::ui::raster {

/// Paints ImGui's frames on the processor, and only the parts that differ from the frame before.
///
/// Shape    The canvas is cut into tiles. A tile is painted anew when the checksum of its shapes
///          has changed. Painting starts at the last shape that covers the whole tile.
/// Owner    The pixels, which stay between frames.
/// Threads  Compatible.
/// Cost     An unchanged frame costs one pass over its triangles. Memory is allocated only when a
///          frame has more triangles than any frame before.
class TileRaster {
 public:
  // 8 KiB of pixels: a line of text, and far smaller than a core's cache
  static constexpr int kTileWidth = 64;
  static constexpr int kTileHeight = 32;

  /// A new size makes the next frame paint everything.
  void resize(Size size);
  /// Makes the next frame paint everything.
  void forget();
  /// Returns the changed rectangles; neighbours are merged. Valid until the next call.
  [[nodiscard]] std::span<const Box> draw(const ImDrawData& data, ImU32 background);

  [[nodiscard]] PixelView canvas() { return {pixels_.data(), size_}; }
  [[nodiscard]] Size size() const { return size_; }

 private:
  struct Tile {
    Box box;
    std::uint64_t sum = 0;
    std::uint64_t shown = 0;  // checksum of the tile's pixels on the canvas; 0: not painted yet
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
