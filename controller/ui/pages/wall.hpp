// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/session/actions.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// The wall of previews: which pictures, how they lie. Pure.
namespace submix::ui {

enum class WallLayout { row, column, tiled };

inline constexpr int kWallCellsMax = 16;

struct Wall {
  WallLayout layout = WallLayout::tiled;
  int cells = 4;   ///< 1 to kWallCellsMax
  float size = 0;  ///< of a cell: its width, unscaled; 0: what fits the window
  std::vector<session::PictureKey> keys;  ///< of the cells; missing ones are chosen
  std::optional<std::size_t> large;       ///< the cell that fills the window
};

/// Where cell `index` lies.
struct WallCell {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

struct WallRoom {
  float width = 0;
  float height = 0;
  float aspect = 1;  ///< of a picture
  float label = 0;   ///< the height of a cell's words
  float gap = 0;
  float scale = 1;
};
/// Equal cells, none higher or wider than it can be; `size` may make them larger than the room.
[[nodiscard]] std::vector<WallCell> wall_cells(const Wall& wall, const WallRoom& room);

/// Cells without a picture get one: the `usual` ones in turn, as far as they are not on the wall yet. Those
/// that the show has no more are taken off.
void fill_wall(Wall& wall, const std::vector<session::PictureKey>& usual,
               const std::vector<session::PictureKey>& all);
void swap_cells(Wall& wall, std::size_t a, std::size_t b);

}  // namespace submix::ui
