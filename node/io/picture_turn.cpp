// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/picture_turn.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace submix::io {
namespace {

constexpr std::size_t kPixelBytes = 4;
constexpr int kBlock = 16;  // pixels: the rows read and the columns written stay in the cache

}  // namespace

// A point (x, y) of the file's picture is shown at (a x + c y, b x + d y).
PictureTurn turn_of(const DisplayMatrix& matrix) {
  const std::int64_t a = matrix[0];
  const std::int64_t b = matrix[1];
  const std::int64_t c = matrix[3];
  const std::int64_t d = matrix[4];
  const bool swaps_sides = std::abs(b) + std::abs(c) > std::abs(a) + std::abs(d);
  if (swaps_sides) return {true, c < 0, b < 0};
  return {false, a < 0, d < 0};
}

Size turned(Size size, PictureTurn turn) {
  return turn.swaps_sides ? Size{size.height, size.width} : size;
}

void turn_pixels(std::span<const std::uint8_t> from, std::span<std::uint8_t> to, Size size,
                 PictureTurn turn) {
  const auto from_width = static_cast<std::size_t>(turned(size, turn).width);
  const auto copy = [&](int x, int y) {
    auto column = static_cast<std::size_t>(turn.flips_x ? size.width - 1 - x : x);
    auto row = static_cast<std::size_t>(turn.flips_y ? size.height - 1 - y : y);
    if (turn.swaps_sides) std::swap(column, row);
    const auto place = static_cast<std::size_t>(y) * static_cast<std::size_t>(size.width) +
                       static_cast<std::size_t>(x);
    std::memcpy(&to[place * kPixelBytes], &from[(row * from_width + column) * kPixelBytes],
                kPixelBytes);
  };
  for (int top = 0; top < size.height; top += kBlock) {
    for (int left = 0; left < size.width; left += kBlock) {
      for (int y = top; y < std::min(top + kBlock, size.height); ++y) {
        for (int x = left; x < std::min(left + kBlock, size.width); ++x)
          copy(x, y);
      }
    }
  }
}

}  // namespace submix::io
