// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/wall.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace submix::ui {
namespace {

// Greatest width at which `columns` by `rows` cells fit.
float fitting_width(const WallRoom& room, float columns, float rows) {
  const float by_width = (room.width - room.gap * (columns - 1)) / columns;
  const float by_height = ((room.height - room.gap * (rows - 1)) / rows - room.label) * room.aspect;
  return std::max(1.0F, std::floor(std::min(by_width, by_height)));
}

// Limits a typed number of cells.
int cell_count(const Wall& wall) {
  return std::clamp(wall.cells, 1, kWallCellsMax);
}

float columns_of(const Wall& wall, const WallRoom& room) {
  const auto count = static_cast<float>(cell_count(wall));
  if (wall.layout == WallLayout::row) return count;
  if (wall.layout == WallLayout::column) return 1;
  if (wall.size > 0)
    return std::clamp(std::floor((room.width + room.gap) / (wall.size * room.scale + room.gap)),
                      1.0F, count);
  float best = 1;
  for (float columns = 1; columns <= count; ++columns) {
    const auto width = [&](float tried) {
      return fitting_width(room, tried, std::ceil(count / tried));
    };
    if (width(columns) > width(best)) best = columns;
  }
  return best;
}

}  // namespace

std::string picture_name(const session::PictureKey& key) {
  return key.slot.empty() ? key.submix : key.submix + "." + key.slot;
}

float aspect_of(Size size) {
  return static_cast<float>(size.width) / static_cast<float>(std::max(1, size.height));
}

std::vector<WallCell> wall_cells(const Wall& wall, const WallRoom& room) {
  const float columns = columns_of(wall, room);
  const float rows = std::ceil(static_cast<float>(cell_count(wall)) / columns);
  const float width =
      wall.size > 0 ? std::floor(wall.size * room.scale) : fitting_width(room, columns, rows);
  const float height = std::floor(width / room.aspect) + room.label;
  std::vector<WallCell> cells;
  for (int i = 0; i < cell_count(wall); ++i) {
    const auto [row, column] =
        std::pair(i / static_cast<int>(columns), i % static_cast<int>(columns));
    cells.push_back({static_cast<float>(column) * (width + room.gap),
                     static_cast<float>(row) * (height + room.gap), width, height});
  }
  return cells;
}

void fill_wall(Wall& wall, const std::vector<session::PictureKey>& usual,
               const std::vector<session::PictureKey>& all) {
  wall.cells = cell_count(wall);
  std::erase_if(wall.keys,
                [&](const auto& key) { return std::ranges::find(all, key) == all.end(); });
  const auto wanted = static_cast<std::size_t>(wall.cells);
  for (const auto* source : {&usual, &all}) {
    for (const auto& key : *source) {
      const bool is_there = std::ranges::find(wall.keys, key) != wall.keys.end();
      if (wall.keys.size() < wanted && !is_there) wall.keys.push_back(key);
    }
  }
  while (!wall.keys.empty() && wall.keys.size() < wanted)
    wall.keys.push_back(wall.keys.front());
  if (wall.large && *wall.large >= std::min(wanted, wall.keys.size())) wall.large.reset();
}

void swap_cells(Wall& wall, std::size_t a, std::size_t b) {
  if (a < wall.keys.size() && b < wall.keys.size()) std::swap(wall.keys[a], wall.keys[b]);
}

}  // namespace submix::ui
