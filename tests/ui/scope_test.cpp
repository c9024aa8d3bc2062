// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/scope.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace submix::ui {
namespace {

using Pixels = std::vector<std::uint8_t>;

// Two rows of four pixels: the left half black, the right half of the colour.
Pixels half(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  Pixels pixels;
  for (int row = 0; row < 2; ++row) {
    pixels.insert(pixels.end(), 6, 0);
    for (int x = 0; x < 2; ++x)
      pixels.insert(pixels.end(), {red, green, blue});
  }
  return pixels;
}

media::ScopeInput input(const Pixels& pixels) {
  return {{4, 2}, pixels};
}

bool is_lit(const media::Rgb24Image& image, int x, int y) {
  const auto at = static_cast<std::size_t>(y * image.size.width + x) * 3;
  return image.pixels[at] + image.pixels[at + 1] + image.pixels[at + 2] > 0;
}

TEST(Scope, WaveformHasBlackBelowAndWhiteAbove) {
  const auto pixels = half(255, 255, 255);
  const auto image = draw_waveform(input(pixels));
  EXPECT_EQ(image.size, (Size{kScopeSide, kScopeSide}));
  EXPECT_TRUE(is_lit(image, 0, 255)) << "black at the left";
  EXPECT_FALSE(is_lit(image, 0, 0));
  EXPECT_TRUE(is_lit(image, 192, 0)) << "white at the right";
  EXPECT_FALSE(is_lit(image, 192, 255));
}

TEST(Scope, WaveformOfAColourIsAsHighAsItsBrightness) {
  const auto pixels = half(0, 255, 0);
  EXPECT_TRUE(is_lit(draw_waveform(input(pixels)), 192, 255 - 182)) << "0.7152 of 255";
}

TEST(Scope, GreysStandInTheMiddleOfTheVectorscope) {
  const auto pixels = half(128, 128, 128);
  const auto image = draw_vectorscope(input(pixels));
  std::size_t lit = 0;
  for (int y = 0; y < kScopeSide; ++y) {
    for (int x = 0; x < kScopeSide; ++x)
      lit += is_lit(image, x, y) ? 1U : 0U;
  }
  EXPECT_EQ(lit, 1U) << "black and grey stand at one place";
  EXPECT_TRUE(is_lit(image, 128, 128) || is_lit(image, 127, 127));
}

TEST(Scope, HistogramHasTheHighestBarBetweenBlackAndWhiteAsHighAsItself) {
  const auto pixels = half(255, 10, 0);
  const auto image = draw_histogram(media::histogram_of(input(pixels)));
  EXPECT_TRUE(is_lit(image, 10, 0));
  EXPECT_FALSE(is_lit(image, 11, image.size.height - 1));
}

TEST(Scope, StaysWithPicturesOfNoOrTooFewPixels) {
  const Pixels few(5);
  EXPECT_EQ(draw_waveform({{1'000, 1'000}, few}).pixels.size(), 256U * 256 * 3);
  EXPECT_EQ(draw_vectorscope({{0, 0}, few}).pixels.size(), 256U * 256 * 3);
}

}  // namespace
}  // namespace submix::ui
