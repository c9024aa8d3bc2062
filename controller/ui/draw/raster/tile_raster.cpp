// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/raster/tile_raster.hpp"

#include "controller/ui/draw/raster/checksum.hpp"
#include "controller/ui/draw/raster/paint.hpp"

namespace submix::ui::raster {
namespace {

bool hides_all_below(const Primitive& primitive, const Box& tile) {
  const bool is_opaque = primitive.kind == Primitive::Kind::fill &&
                         (primitive.color & IM_COL32_A_MASK) == IM_COL32_A_MASK;
  return is_opaque && primitive.box.covers(tile);
}

}  // namespace

void TileRaster::resize(Size size) {
  if (size == size_) return;
  size_ = size;
  columns_ = (size.width + kTileWidth - 1) / kTileWidth;
  const int rows = (size.height + kTileHeight - 1) / kTileHeight;
  pixels_.assign(size.pixels(), 0);
  tiles_.clear();
  for (int row = 0; row < rows; ++row) {
    for (int column = 0; column < columns_; ++column) {
      const Box box{column * kTileWidth, row * kTileHeight, (column + 1) * kTileWidth,
                    (row + 1) * kTileHeight};
      tiles_.push_back(
          {.box = common_part(box, {0, 0, size.width, size.height}), .primitives = {}});
    }
  }
  changed_.reserve(tiles_.size());
}

void TileRaster::forget() {
  for (auto& tile : tiles_)
    tile.shown = 0;
}

std::span<const Box> TileRaster::draw(const ImDrawData& data, ImU32 background) {
  primitives_.clear();
  changed_.clear();
  collect(data, {0, 0, size_.width, size_.height}, primitives_);
  sort_into_tiles(background);
  for (auto& tile : tiles_) {
    if (tile.sum == tile.shown) continue;
    paint_tile(tile, background);
    add_changed(tile.box);
  }
  return changed_;
}

void TileRaster::sort_into_tiles(ImU32 background) {
  for (auto& tile : tiles_) {
    tile.primitives.clear();
    tile.sum = TileChecksum(background).value();
  }
  for (std::uint32_t i = 0; i < primitives_.size(); ++i)
    add_to_tiles(i);
}

void TileRaster::add_to_tiles(std::uint32_t index) {
  const auto& primitive = primitives_[index];
  const auto& box = primitive.box;
  for (int row = box.top / kTileHeight; row * kTileHeight < box.bottom; ++row) {
    for (int column = box.left / kTileWidth; column * kTileWidth < box.right; ++column) {
      auto& tile = tiles_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                          static_cast<std::size_t>(column)];
      TileChecksum sum(tile.sum);
      if (hides_all_below(primitive, tile.box)) {
        tile.primitives.clear();
        // The part outside of the tile makes no difference here.
        sum = TileChecksum(primitive.color);
      } else {
        sum.add(primitive.sum);
      }
      tile.sum = sum.value();
      tile.primitives.push_back(index);
    }
  }
}

void TileRaster::paint_tile(Tile& tile, ImU32 background) {
  const bool is_covered =
      !tile.primitives.empty() && hides_all_below(primitives_[tile.primitives.front()], tile.box);
  if (!is_covered) fill(canvas(), tile.box, background);
  for (const auto index : tile.primitives)
    paint(primitives_[index], canvas(), tile.box);
  tile.shown = tile.sum;
}

void TileRaster::add_changed(const Box& box) {
  const bool is_beside =
      !changed_.empty() && changed_.back().top == box.top && changed_.back().right == box.left;
  if (is_beside) {
    changed_.back().right = box.right;
  } else {
    changed_.push_back(box);
  }
}

}  // namespace submix::ui::raster
