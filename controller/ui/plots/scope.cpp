// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/scope.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace submix::ui {
namespace {

constexpr auto kSide = static_cast<std::size_t>(kScopeSide);
constexpr std::size_t kHistogramHeight = 128;

// BT.709 for full range.
constexpr std::array<float, 3> kLuma{0.2126F, 0.7152F, 0.0722F};
constexpr float kBlueSpan = 2 * (1 - kLuma[2]);
constexpr float kRedSpan = 2 * (1 - kLuma[0]);

float luma_of(const std::array<float, 3>& rgb) {
  return kLuma[0] * rgb[0] + kLuma[1] * rgb[1] + kLuma[2] * rgb[2];
}

media::Rgb24Image black_image(std::size_t width, std::size_t height) {
  return {{static_cast<int>(width), static_cast<int>(height)},
          std::vector<std::uint8_t>(width * height * 3)};
}

// Of a large picture, as many rows as tell the same.
template <typename Visit>
void visit_pixels(const ScopeInput& picture, Visit visit) {
  constexpr std::size_t kEnoughPixels = 60'000;
  const auto width = static_cast<std::size_t>(std::max(picture.size.width, 1));
  const std::size_t pixels = std::min(picture.size.pixels(), picture.rgb24.size() / 3);
  const std::size_t row_step = pixels / kEnoughPixels + 1;
  for (std::size_t row = 0; row * width < pixels; row += row_step) {
    const std::size_t end = std::min(width, pixels - row * width);
    for (std::size_t x = 0; x < end; ++x)
      visit(picture.rgb24.subspan((row * width + x) * 3, 3), x);
  }
}

std::array<float, 3> parts_of(std::span<const std::uint8_t> rgb) {
  const auto part = [&](std::size_t i) { return static_cast<float>(rgb[i]) / 255; };
  return {part(0), part(1), part(2)};
}

std::size_t step_of(float part) {
  const auto steps = static_cast<float>(kSide - 1);
  return static_cast<std::size_t>(std::lround(std::clamp(part, 0.0F, 1.0F) * steps));
}

// A single pixel is seen, and many do not hide the rest.
std::uint8_t brightness_of(std::uint32_t count, std::uint32_t most) {
  if (count == 0) return 0;
  constexpr float kLeast = 60;
  const float part = std::log1p(static_cast<float>(count)) / std::log1p(static_cast<float>(most));
  return static_cast<std::uint8_t>(kLeast + (255 - kLeast) * part);
}

}  // namespace

media::Rgb24Image draw_waveform(const ScopeInput& picture) {
  std::vector<std::uint32_t> counts(kSide * kSide);
  const auto width = static_cast<std::size_t>(std::max(picture.size.width, 1));
  visit_pixels(picture, [&](std::span<const std::uint8_t> rgb, std::size_t x) {
    const std::size_t row = kSide - 1 - step_of(luma_of(parts_of(rgb)));
    ++counts[row * kSide + x * kSide / width];
  });
  const auto most = std::ranges::max(counts);
  auto image = black_image(kSide, kSide);
  for (std::size_t i = 0; i < counts.size(); ++i)
    std::fill_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(i * 3), 3,
                brightness_of(counts[i], most));
  return image;
}

std::array<float, 2> place_in_vectorscope(const std::array<float, 3>& rgb) {
  const float luma = luma_of(rgb);
  return {0.5F + (rgb[2] - luma) / kBlueSpan, 0.5F - (rgb[0] - luma) / kRedSpan};
}

media::Rgb24Image draw_vectorscope(const ScopeInput& picture) {
  auto image = black_image(kSide, kSide);
  visit_pixels(picture, [&](std::span<const std::uint8_t> rgb, std::size_t) {
    const auto [x, y] = place_in_vectorscope(parts_of(rgb));
    const std::size_t at = (step_of(y) * kSide + step_of(x)) * 3;
    // The brightest that has come here; a dark one is seen, too.
    constexpr std::uint8_t kLeast = 70;
    for (std::size_t part = 0; part < 3; ++part)
      image.pixels[at + part] = std::max({image.pixels[at + part], rgb[part], kLeast});
  });
  return image;
}

Histogram histogram_of(const ScopeInput& picture) {
  Histogram histogram;
  std::size_t all = 0;
  std::size_t black = 0;
  std::size_t white = 0;
  visit_pixels(picture, [&](std::span<const std::uint8_t> rgb, std::size_t) {
    for (std::size_t part = 0; part < 3; ++part)
      ++histogram.counts[part][rgb[part]];
    ++all;
    if (std::ranges::max(rgb) == 0) ++black;
    if (std::ranges::max(rgb) == 255) ++white;
  });
  if (all == 0) return histogram;
  histogram.black = static_cast<double>(black) / static_cast<double>(all);
  histogram.white = static_cast<double>(white) / static_cast<double>(all);
  return histogram;
}

media::Rgb24Image draw_histogram(const Histogram& histogram) {
  std::uint32_t most = 1;
  for (const auto& counts : histogram.counts)
    most = std::max(most, *std::max_element(counts.begin() + 1, counts.end() - 1));
  auto image = black_image(kSide, kHistogramHeight);
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const std::uint64_t count = histogram.counts[part][x];
      const auto height = static_cast<std::size_t>(
          std::min<std::uint64_t>((count * kHistogramHeight + most - 1) / most, kHistogramHeight));
      for (std::size_t y = kHistogramHeight - height; y < kHistogramHeight; ++y)
        image.pixels[(y * kSide + x) * 3 + part] = 220;
    }
  }
  return image;
}

}  // namespace submix::ui
