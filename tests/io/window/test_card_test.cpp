// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/test_card.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace submix::io {
namespace {

using Pixel = std::vector<std::uint8_t>;

Pixel pixel_at(const std::vector<std::uint8_t>& rgba, Size size, int x, int y) {
  const auto at = static_cast<std::ptrdiff_t>(4 * (y * size.width + x));
  return {rgba.begin() + at, rgba.begin() + at + 4};
}

const Pixel kWhite{255, 255, 255, 255};
const Pixel kBlue{0, 0, 255, 255};

int white_pixels(const std::vector<std::uint8_t>& rgba, Size size, int first_row, int last_row) {
  int count = 0;
  for (int y = first_row; y < last_row; ++y) {
    for (int x = size.width / 20; x < size.width * 19 / 20; ++x)
      count += pixel_at(rgba, size, x, y) == kWhite ? 1 : 0;
  }
  return count;
}

TEST(TestCard, HasAnEdgeTheNameAndBars) {
  const Size size{640, 480};
  const auto card = paint_test_card({"Screen of mix", "EPSON PJ, 640x480"}, size);
  for (const auto& [x, y] : {std::pair(0, 0), {639, 0}, {0, 479}, {639, 479}, {320, 0}, {0, 240}})
    EXPECT_EQ(pixel_at(card, size, x, y), kWhite) << x << ", " << y;
  EXPECT_EQ(pixel_at(card, size, 600, 440), kBlue) << "the last bar";
  const auto nameless = paint_test_card({"", ""}, size);
  EXPECT_EQ(white_pixels(nameless, size, 96, 240), 0);
  EXPECT_GT(white_pixels(card, size, 96, 240), 2000) << "large letters";
  EXPECT_GT(white_pixels(card, size, 288, 336), 300);
}

int grey_pixels(const std::vector<std::uint8_t>& rgba, Size size, int first_row, int last_row) {
  int count = 0;
  for (int y = first_row; y < last_row; ++y) {
    for (int x = 0; x < size.width; ++x) {
      const auto red = pixel_at(rgba, size, x, y).front();
      count += red > 64 && red < 160 ? 1 : 0;
    }
  }
  return count;
}

TEST(WaitingCard, HasTheNameAndTheReasonInDimLettersOnBlack) {
  const Size size{640, 480};
  const auto card = paint_waiting_card("Screen of mix", size);
  const auto nameless = paint_waiting_card("", size);
  EXPECT_EQ(grey_pixels(nameless, size, 192, 240), 0);
  EXPECT_GT(grey_pixels(card, size, 192, 240), 300) << "the name";
  EXPECT_GT(grey_pixels(card, size, 288, 312), 300) << "the reason";
  EXPECT_EQ(grey_pixels(card, size, 312, 480), 0);
  EXPECT_EQ(white_pixels(card, size, 0, 480), 0);
  EXPECT_EQ(pixel_at(card, size, 0, 0), (Pixel{0, 0, 0, 255}));
}

TEST(TestCard, FitsAnySizeAndAnyName) {
  for (const Size size : {Size{1, 1}, Size{3, 2}, Size{16, 16}, Size{9, 2000}, Size{3840, 16}}) {
    for (const auto& name : {std::string(), std::string(5000, 'x'), std::string("\xff\x01é")}) {
      EXPECT_EQ(paint_test_card({name, name}, size).size(), size.pixels() * 4);
      EXPECT_EQ(paint_waiting_card(name, size).size(), size.pixels() * 4);
    }
  }
}

}  // namespace
}  // namespace submix::io
