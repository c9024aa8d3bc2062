// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/draw/raster/paint.hpp"

#include <cmath>
#include <utility>

namespace submix::ui::raster {
namespace {

// Red and blue of a pixel; the products of both fit into one word.
constexpr std::uint32_t kOddBytes = 0x00FF00FF;
constexpr std::uint32_t kGreenByte = 0x0000FF00;

std::uint32_t alpha_of(ImU32 color) {
  return (color >> IM_COL32_A_SHIFT) & 0xFF;
}

std::uint32_t pixel_of(ImU32 color) {
  const auto channel = [color](int shift) { return (color >> shift) & 0xFF; };
  return 0xFF000000 | channel(IM_COL32_R_SHIFT) << 16 | channel(IM_COL32_G_SHIFT) << 8 |
         channel(IM_COL32_B_SHIFT);
}

// x / 255, rounded down, for x below 65535.
std::uint32_t by_255(std::uint32_t x) {
  return (x + 1 + (x >> 8)) >> 8;
}

// Each channel of `pixel` times `share` / 255, rounded down.
std::uint32_t part_of(std::uint32_t pixel, std::uint32_t share) {
  const std::uint32_t odd = (pixel & kOddBytes) * share;
  const std::uint32_t green = by_255(((pixel & kGreenByte) >> 8) * share);
  return (((odd + 0x00010001 + ((odd >> 8) & kOddBytes)) >> 8) & kOddBytes) | green << 8;
}

std::uint32_t blend(std::uint32_t ground, std::uint32_t pixel, std::uint32_t alpha) {
  return part_of(pixel, alpha) + part_of(ground, 255 - alpha);
}

void fill_span(std::uint32_t* from, std::uint32_t* to, ImU32 color) {
  const auto alpha = alpha_of(color);
  const auto pixel = pixel_of(color);
  if (alpha == 255) {
    std::fill(from, to, pixel);
    return;
  }
  const auto own = part_of(pixel, alpha);
  for (; from < to; ++from)
    *from = own + part_of(*from, 255 - alpha);
}

// Bilinear, as on a graphics card. Outside the texture its edge is repeated.
std::uint32_t alpha_at(const Texture& texture, float x, float y) {
  const auto sample = [&texture](int column, int row) {
    const int u = std::clamp(column, 0, texture.size.width - 1);
    const int v = std::clamp(row, 0, texture.size.height - 1);
    return static_cast<float>(
        texture.alpha[static_cast<std::ptrdiff_t>(v) * texture.size.width + u]);
  };
  const int column = static_cast<int>(std::floor(x - 0.5F));
  const int row = static_cast<int>(std::floor(y - 0.5F));
  const float right = x - 0.5F - static_cast<float>(column);
  const float below = y - 0.5F - static_cast<float>(row);
  const float upper = sample(column, row) * (1 - right) + sample(column + 1, row) * right;
  const float lower = sample(column, row + 1) * (1 - right) + sample(column + 1, row + 1) * right;
  return static_cast<std::uint32_t>(std::lround(upper * (1 - below) + lower * below));
}

void stretch_picture(const PixelView& canvas, const Box& box, const Stretch& stretch) {
  // In 1/65536 of a pixel of the picture, starting at the centre of the first pixel.
  const auto step_x = (static_cast<std::int64_t>(stretch.from.width()) << 16) / stretch.to.width();
  const auto step_y =
      (static_cast<std::int64_t>(stretch.from.height()) << 16) / stretch.to.height();
  for (int y = box.top; y < box.bottom; ++y) {
    const auto row = stretch.from.top + ((step_y * (y - stretch.to.top) + step_y / 2) >> 16);
    const auto* from =
        stretch.texture->pixels + row * stretch.texture->size.width + stretch.from.left;
    auto place = step_x * (box.left - stretch.to.left) + step_x / 2;
    auto* to = canvas.row(y);
    for (int x = box.left; x < box.right; ++x, place += step_x)
      to[x] = from[place >> 16];
  }
}

void stretch_alpha(const PixelView& canvas, const Box& box, const Stretch& stretch, ImU32 color) {
  const float step_x =
      static_cast<float>(stretch.from.width()) / static_cast<float>(stretch.to.width());
  const float step_y =
      static_cast<float>(stretch.from.height()) / static_cast<float>(stretch.to.height());
  const auto pixel = pixel_of(color);
  for (int y = box.top; y < box.bottom; ++y) {
    auto* row = canvas.row(y);
    const float v = static_cast<float>(stretch.from.top) +
                    (static_cast<float>(y - stretch.to.top) + 0.5F) * step_y;
    for (int x = box.left; x < box.right; ++x) {
      const float u = static_cast<float>(stretch.from.left) +
                      (static_cast<float>(x - stretch.to.left) + 0.5F) * step_x;
      row[x] = blend(row[x], pixel, by_255(alpha_at(*stretch.texture, u, v) * alpha_of(color)));
    }
  }
}

}  // namespace

void fill(const PixelView& canvas, const Box& box, ImU32 color) {
  for (int y = box.top; y < box.bottom; ++y)
    fill_span(canvas.row(y) + box.left, canvas.row(y) + box.right, color);
}

void stamp(const PixelView& canvas, const Box& box, const Stencil& stencil, ImU32 color) {
  const auto alpha = alpha_of(color);
  const auto pixel = pixel_of(color);
  for (int y = box.top; y < box.bottom; ++y) {
    const auto* from = stencil.texture->alpha +
                       static_cast<std::ptrdiff_t>(y + stencil.dy) * stencil.texture->size.width +
                       stencil.dx;
    auto* to = canvas.row(y);
    for (int x = box.left; x < box.right; ++x) {
      if (from[x] == 0) continue;
      const auto share = by_255(from[x] * alpha);
      to[x] = share == 255 ? pixel : blend(to[x], pixel, share);
    }
  }
}

void stretch(const PixelView& canvas, const Box& box, const Stretch& stretch, ImU32 color) {
  if (stretch.texture->pixels != nullptr) {
    stretch_picture(canvas, box, stretch);
  } else {
    stretch_alpha(canvas, box, stretch, color);
  }
}

}  // namespace submix::ui::raster
