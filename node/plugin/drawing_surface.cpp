// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/plugin/drawing_surface.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace submix::plugin {
namespace {

constexpr std::size_t kPixelBytes = 4;

// Rows from the top. The leftmost block is the highest of five bits.
struct Glyph {
  char letter;
  std::array<std::uint8_t, kGlyphHeight> rows;
};

constexpr std::array kGlyphs{
    Glyph{'0', {14, 17, 19, 21, 25, 17, 14}}, Glyph{'1', {4, 12, 4, 4, 4, 4, 14}},
    Glyph{'2', {14, 17, 1, 2, 4, 8, 31}},     Glyph{'3', {31, 2, 4, 2, 1, 17, 14}},
    Glyph{'4', {2, 6, 10, 18, 31, 2, 2}},     Glyph{'5', {31, 16, 30, 1, 1, 17, 14}},
    Glyph{'6', {6, 8, 16, 30, 17, 17, 14}},   Glyph{'7', {31, 1, 2, 4, 8, 8, 8}},
    Glyph{'8', {14, 17, 17, 14, 17, 17, 14}}, Glyph{'9', {14, 17, 17, 15, 1, 2, 12}},
    Glyph{'A', {14, 17, 17, 31, 17, 17, 17}}, Glyph{'B', {30, 17, 17, 30, 17, 17, 30}},
    Glyph{'C', {14, 17, 16, 16, 16, 17, 14}}, Glyph{'D', {30, 17, 17, 17, 17, 17, 30}},
    Glyph{'E', {31, 16, 16, 30, 16, 16, 31}}, Glyph{'F', {31, 16, 16, 30, 16, 16, 16}},
    Glyph{'G', {14, 17, 16, 23, 17, 17, 15}}, Glyph{'H', {17, 17, 17, 31, 17, 17, 17}},
    Glyph{'I', {14, 4, 4, 4, 4, 4, 14}},      Glyph{'J', {7, 2, 2, 2, 2, 18, 12}},
    Glyph{'K', {17, 18, 20, 24, 20, 18, 17}}, Glyph{'L', {16, 16, 16, 16, 16, 16, 31}},
    Glyph{'M', {17, 27, 21, 21, 17, 17, 17}}, Glyph{'N', {17, 17, 25, 21, 19, 17, 17}},
    Glyph{'O', {14, 17, 17, 17, 17, 17, 14}}, Glyph{'P', {30, 17, 17, 30, 16, 16, 16}},
    Glyph{'Q', {14, 17, 17, 17, 21, 18, 13}}, Glyph{'R', {30, 17, 17, 30, 20, 18, 17}},
    Glyph{'S', {15, 16, 16, 14, 1, 1, 30}},   Glyph{'T', {31, 4, 4, 4, 4, 4, 4}},
    Glyph{'U', {17, 17, 17, 17, 17, 17, 14}}, Glyph{'V', {17, 17, 17, 17, 17, 10, 4}},
    Glyph{'W', {17, 17, 17, 21, 21, 21, 10}}, Glyph{'X', {17, 17, 10, 4, 10, 17, 17}},
    Glyph{'Y', {17, 17, 17, 10, 4, 4, 4}},    Glyph{'Z', {31, 1, 2, 4, 8, 16, 31}},
    Glyph{' ', {0, 0, 0, 0, 0, 0, 0}},        Glyph{'.', {0, 0, 0, 0, 0, 12, 12}},
    Glyph{'-', {0, 0, 0, 31, 0, 0, 0}},       Glyph{'+', {0, 4, 4, 31, 4, 4, 0}},
    Glyph{':', {0, 12, 12, 0, 12, 12, 0}},    Glyph{'/', {0, 1, 2, 4, 8, 16, 0}},
    Glyph{',', {0, 0, 0, 0, 12, 4, 8}},       Glyph{'"', {10, 10, 10, 0, 0, 0, 0}},
    Glyph{'(', {2, 4, 8, 8, 8, 4, 2}},        Glyph{')', {8, 4, 2, 2, 2, 4, 8}},
    Glyph{'_', {0, 0, 0, 0, 0, 0, 31}},       Glyph{'?', {14, 17, 1, 2, 4, 0, 4}},
};

const Glyph& glyph_of(char letter) {
  const char capital =
      letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  const auto* found = std::find_if(kGlyphs.begin(), kGlyphs.end(),
                                   [&](const Glyph& glyph) { return glyph.letter == capital; });
  return found == kGlyphs.end() ? kGlyphs.back() : *found;
}

std::uint8_t to_byte(double part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

}  // namespace

Color Color::from_parts(const std::vector<double>& parts) {
  SUBMIX_ASSERT(parts.size() == 3);
  return {to_byte(parts[0]), to_byte(parts[1]), to_byte(parts[2])};
}

Color Color::scaled(double factor) const {
  return {to_byte(red / 255.0 * factor), to_byte(green / 255.0 * factor),
          to_byte(blue / 255.0 * factor), alpha};
}

DrawingSurface::DrawingSurface(std::span<std::uint8_t> rgba, Size size) : rgba_(rgba), size_(size) {
  SUBMIX_ASSERT(rgba.size() == size.pixels() * kPixelBytes);
}

std::uint8_t* DrawingSurface::at(int x, int y) {
  const auto pixel = static_cast<std::size_t>(y) * static_cast<std::size_t>(size_.width) +
                     static_cast<std::size_t>(x);
  return rgba_.data() + pixel * kPixelBytes;
}

void DrawingSurface::put(int x, int y, Color color) {
  std::memcpy(at(x, y), &color, kPixelBytes);
}

void DrawingSurface::fill(Rectangle area, Color color) {
  const int left = std::max(area.x, 0);
  const int right = std::min(area.x + area.width, size_.width);
  const int top = std::max(area.y, 0);
  const int bottom = std::min(area.y + area.height, size_.height);
  if (left >= right || top >= bottom) return;
  for (int x = left; x < right; ++x)
    put(x, top, color);
  const auto bytes = static_cast<std::size_t>(right - left) * kPixelBytes;
  for (int y = top + 1; y < bottom; ++y)
    std::memcpy(at(left, y), at(left, top), bytes);
}

std::span<std::uint8_t> DrawingSurface::pixels(int x, int y, int width) {
  return {at(x, y), static_cast<std::size_t>(width) * kPixelBytes};
}

void DrawingSurface::repeat_row(int from, int first, int last) {
  const auto bytes = static_cast<std::size_t>(size_.width) * kPixelBytes;
  for (int y = first; y < last; ++y) {
    if (y != from) std::memcpy(at(0, y), at(0, from), bytes);
  }
}

void draw_text(DrawingSurface& surface, int x, int y, int scale, std::string_view text,
               Color color) {
  for (const char letter : text) {
    const auto& glyph = glyph_of(letter);
    for (int row = 0; row < kGlyphHeight; ++row) {
      for (int column = 0; column < kGlyphWidth; ++column) {
        const unsigned bit = 1U << static_cast<unsigned>(kGlyphWidth - 1 - column);
        if ((glyph.rows[static_cast<std::size_t>(row)] & bit) == 0) continue;
        surface.fill({x + column * scale, y + row * scale, scale, scale}, color);
      }
    }
    x += (kGlyphWidth + 1) * scale;
  }
}

int text_width(std::string_view text) {
  return text.empty() ? 0 : static_cast<int>(text.size()) * (kGlyphWidth + 1) - 1;
}

}  // namespace submix::plugin
