// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"
#include "controller/session/actions.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// The wall of previews: its pictures and their layout. Pure.
namespace submix::ui {

/// "left", or "left.glow" for the picture of a slot.
[[nodiscard]] std::string picture_name(const session::PictureKey& key);
/// Width by height.
[[nodiscard]] float aspect_of(Size size);

enum class WallLayout { row, column, tiled };

inline constexpr int kWallCellsMax = 16;

struct Wall {
  WallLayout layout = WallLayout::tiled;
  int cells = 4;   ///< 1 to kWallCellsMax
  float size = 0;  ///< width of a cell, unscaled; 0: as large as the window allows
  std::vector<session::PictureKey> keys;  ///< pictures of the cells; missing ones are filled in
  std::optional<std::size_t> large;       ///< the cell that fills the window
};

/// The rectangle of a cell.
struct WallCell {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

struct WallRoom {
  float width = 0;
  float height = 0;
  float aspect = 1;  ///< width by height of a picture
  float label = 0;   ///< height of a cell's label
  float gap = 0;
  float scale = 1;
};
/// Rectangles of equal cells, as large as the room allows. `Wall::size` may make them larger than
/// the room.
[[nodiscard]] std::vector<WallCell> wall_cells(const Wall& wall, const WallRoom& room);

/// Removes pictures that the show no longer has. Cells without a picture get one of `usual` in
/// turn, if it is not on the wall yet.
void fill_wall(Wall& wall, const std::vector<session::PictureKey>& usual,
               const std::vector<session::PictureKey>& all);
void swap_cells(Wall& wall, std::size_t a, std::size_t b);

}  // namespace submix::ui
