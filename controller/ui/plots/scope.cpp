// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/plots/scope.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace submix::ui {
namespace {

constexpr auto kSide = static_cast<std::size_t>(kScopeSide);
constexpr std::size_t kHistogramHeight = 128;

media::Rgb24Image black_image(std::size_t width, std::size_t height) {
  return {{static_cast<int>(width), static_cast<int>(height)},
          std::vector<std::uint8_t>(width * height * 3)};
}

}  // namespace

media::Rgb24Image draw_waveform(const media::ScopeInput& picture) {
  std::vector<std::uint32_t> counts(kSide * kSide);
  media::count_waveform(picture, {{kScopeSide, kScopeSide}, counts});
  const media::TraceBrightness brightness(std::ranges::max(counts));
  auto image = black_image(kSide, kSide);
  for (std::size_t i = 0; i < counts.size(); ++i)
    std::fill_n(image.pixels.begin() + static_cast<std::ptrdiff_t>(i * 3), 3,
                brightness.of(counts[i]));
  return image;
}

media::Rgb24Image draw_vectorscope(const media::ScopeInput& picture) {
  auto image = black_image(kSide, kSide);
  media::mark_vectorscope(picture, kScopeSide, image.pixels);
  return image;
}

media::Rgb24Image draw_histogram(const media::Histogram& histogram) {
  const auto highest = histogram.highest();
  auto image = black_image(kSide, kHistogramHeight);
  for (std::size_t part = 0; part < 3; ++part) {
    for (std::size_t x = 0; x < kSide; ++x) {
      const auto height = static_cast<std::size_t>(media::bar_height(
          histogram.counts[part][x], highest, static_cast<int>(kHistogramHeight)));
      for (std::size_t y = kHistogramHeight - height; y < kHistogramHeight; ++y)
        image.pixels[(y * kSide + x) * 3 + part] = media::kBarBrightness;
    }
  }
  return image;
}

}  // namespace submix::ui
