// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/units.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace submix::plugin {

struct Color {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  std::uint8_t alpha = 255;

  /// The color of a parameter's three parts, each 0 to 1.
  [[nodiscard]] static Color from_parts(const std::vector<double>& parts);
  [[nodiscard]] Color scaled(double factor) const;

  friend bool operator==(const Color&, const Color&) = default;
};

struct Rectangle {
  int x = 0;
  int y = 0;
  int width = 0;
  int height = 0;
};

/// Draws on RGBA pixels, clipped to the picture. Compatible.
class DrawingSurface {
 public:
  DrawingSurface(std::span<std::uint8_t> rgba, Size size);

  [[nodiscard]] Size size() const { return size_; }
  void fill(Rectangle area, Color color);
  /// Sets one pixel, which must lie inside.
  void put(int x, int y, Color color);
  /// The bytes of `width` pixels of a row from x, y on, which must lie inside.
  [[nodiscard]] std::span<std::uint8_t> pixels(int x, int y, int width);
  /// Copies row `from` to the rows [first, last).
  void repeat_row(int from, int first, int last);

 private:
  [[nodiscard]] std::uint8_t* at(int x, int y);

  std::span<std::uint8_t> rgba_;
  Size size_;
};

inline constexpr int kGlyphWidth = 5;
inline constexpr int kGlyphHeight = 7;

/// Draws text in a built-in font of 5 x 7 blocks of `scale` pixels, with one block of space between
/// letters. x, y is the upper left corner. Draws capitals only; a letter that the font lacks
/// becomes '?'.
void draw_text(DrawingSurface& surface, int x, int y, int scale, std::string_view text,
               Color color);
/// The width of `text` in blocks.
[[nodiscard]] int text_width(std::string_view text);

}  // namespace submix::plugin
