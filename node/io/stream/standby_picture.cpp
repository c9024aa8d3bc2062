// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/stream/standby_picture.hpp"

#include "node/plugin/drawing_surface.hpp"

#include <algorithm>

namespace submix::io {
namespace {

// Dark enough beside any picture, and distinct from a black one.
constexpr plugin::Color kGround{38, 40, 44, 255};
constexpr plugin::Color kName{150, 154, 160, 255};

void fill(plugin::DrawingSurface& surface, plugin::Color color) {
  surface.fill({0, 0, surface.size().width, surface.size().height}, color);
}

}  // namespace

void paint_black(std::span<std::uint8_t> rgba, Size size) {
  plugin::DrawingSurface surface(rgba, size);
  fill(surface, {0, 0, 0, 255});
}

void paint_standby(std::span<std::uint8_t> rgba, Size size, std::string_view stream) {
  plugin::DrawingSurface surface(rgba, size);
  fill(surface, kGround);
  const int blocks = plugin::text_width(stream);
  // A tenth of the height, or less for a long name.
  const int scale =
      std::max(1, std::min(size.height / 70, size.width * 8 / 10 / std::max(1, blocks)));
  plugin::draw_text(surface, (size.width - blocks * scale) / 2,
                    (size.height - plugin::kGlyphHeight * scale) / 2, scale, stream, kName);
}

}  // namespace submix::io
