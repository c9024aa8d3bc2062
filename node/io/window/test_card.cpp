// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/test_card.hpp"

#include "node/plugin/drawing_surface.hpp"

#include <algorithm>
#include <array>

namespace submix::io {
namespace {

using plugin::Color;
using plugin::DrawingSurface;

constexpr Color kGround{24, 24, 32};
constexpr Color kWhite{255, 255, 255};
constexpr Color kBlack{0, 0, 0};
constexpr Color kDim{112, 112, 120};  // seen at a desk, and no light in a dark hall
constexpr std::array<Color, 7> kBars{Color{255, 255, 255}, Color{255, 255, 0}, Color{0, 255, 255},
                                     Color{0, 255, 0},     Color{255, 0, 255}, Color{255, 0, 0},
                                     Color{0, 0, 255}};
constexpr int kRows = 10;         // of the card: text in the upper rows, bars in the last two
constexpr int kNameRow = 2;       // where the name begins
constexpr int kDisplayRow = 6;    // where the display begins
constexpr int kNameScaleMax = 3;  // rows that the name may fill
constexpr int kWaitingNameRow = 4;
constexpr int kWaitingRow = 6;
constexpr std::string_view kWaiting = "waiting for the first picture";

// Draws centred text, as large as fits into `height` and nine tenths of the width.
void draw_line(DrawingSurface& surface, std::string_view words, int top, int height,
               Color color = kWhite) {
  const int blocks = std::max(1, plugin::text_width(words));
  const int scale =
      std::max(1, std::min(surface.size().width * 9 / 10 / blocks, height / plugin::kGlyphHeight));
  draw_text(surface, (surface.size().width - blocks * scale) / 2, top, scale, words, color);
}

void draw_bars(DrawingSurface& surface, int top, int height) {
  const int count = static_cast<int>(kBars.size());
  for (int bar = 0; bar < count; ++bar) {
    const int left = surface.size().width * bar / count;
    const int right = surface.size().width * (bar + 1) / count;
    surface.fill({left, top, right - left, height}, kBars.at(static_cast<std::size_t>(bar)));
  }
}

void draw_edges(DrawingSurface& surface) {
  const auto [width, height] = surface.size();
  const int line = std::max(1, height / 200);
  surface.fill({0, 0, width, line}, kWhite);
  surface.fill({0, height - line, width, line}, kWhite);
  surface.fill({0, 0, line, height}, kWhite);
  surface.fill({width - line, 0, line, height}, kWhite);
}

}  // namespace

std::vector<std::uint8_t> paint_test_card(const TestCard& card, Size size) {
  std::vector<std::uint8_t> rgba(size.pixels() * 4);
  DrawingSurface surface(rgba, size);
  const int row = size.height / kRows;
  surface.fill({0, 0, size.width, size.height}, kGround);
  draw_line(surface, card.output, kNameRow * row, kNameScaleMax * row);
  draw_line(surface, card.display, kDisplayRow * row, row);
  draw_bars(surface, size.height - 2 * row, 2 * row);
  draw_edges(surface);
  return rgba;
}

std::vector<std::uint8_t> paint_waiting_card(std::string_view output, Size size) {
  std::vector<std::uint8_t> rgba(size.pixels() * 4);
  DrawingSurface surface(rgba, size);
  const int row = size.height / kRows;
  surface.fill({0, 0, size.width, size.height}, kBlack);
  draw_line(surface, output, kWaitingNameRow * row, row, kDim);
  draw_line(surface, kWaiting, kWaitingRow * row, row / 2, kDim);
  return rgba;
}

}  // namespace submix::io
