// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/standby_picture.hpp"

#include "node/plugin/canvas.hpp"

#include <algorithm>

namespace submix::io {
namespace {

// Dark enough beside any picture, and distinct from a black one.
constexpr plugin::Color kGround{38, 40, 44, 255};
constexpr plugin::Color kName{150, 154, 160, 255};

void fill(plugin::Canvas& canvas, plugin::Color color) {
  canvas.fill({0, 0, canvas.size().width, canvas.size().height}, color);
}

}  // namespace

void paint_black(std::span<std::uint8_t> rgba, Size size) {
  plugin::Canvas canvas(rgba, size);
  fill(canvas, {0, 0, 0, 255});
}

void paint_standby(std::span<std::uint8_t> rgba, Size size, std::string_view stream) {
  plugin::Canvas canvas(rgba, size);
  fill(canvas, kGround);
  const int blocks = plugin::text_width(stream);
  // A tenth of the height, or less for a long name.
  const int scale =
      std::max(1, std::min(size.height / 70, size.width * 8 / 10 / std::max(1, blocks)));
  plugin::draw_text(canvas, (size.width - blocks * scale) / 2,
                    (size.height - plugin::kGlyphHeight * scale) / 2, scale, stream, kName);
}

}  // namespace submix::io
