// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/scope.hpp"

#include "common/base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace submix::media {
namespace {

// BT.709 for full range.
constexpr std::array<float, 3> kLumaParts{0.2126F, 0.7152F, 0.0722F};
constexpr float kBlueSpan = 2 * (1 - kLumaParts[2]);
constexpr float kRedSpan = 2 * (1 - kLumaParts[0]);

// The same in 1/65536, so that all computers count alike. Those of a colour difference add up to 0,
// so that greys have none.
constexpr std::array kLumaShares{13933, 46871, 4732};
constexpr std::array kBlueShares{-7509, -25259, 32768};
constexpr std::array kRedShares{32768, -29763, -3005};
constexpr int kHalf = 32768;

constexpr std::size_t kChannels = 3;

int sum_of(const std::array<int, kChannels>& shares, const std::uint8_t* rgb) {
  return shares[0] * rgb[0] + shares[1] * rgb[1] + shares[2] * rgb[2];
}

std::size_t as_size(int number) {
  return static_cast<std::size_t>(std::max(number, 0));
}

std::size_t samples_along(std::size_t pixels, std::size_t step) {
  return (pixels + step - 1) / step;
}

// Of each so many rows and columns one tells enough.
std::size_t sample_step(Size picture) {
  const auto width = as_size(picture.width);
  const auto height = as_size(picture.height);
  std::size_t step = 1;
  while (samples_along(width, step) * samples_along(height, step) > kScopeSamplesMax)
    ++step;
  return step;
}

// Calls visit(pixel, column of the picture).
template <typename Visit>
void visit_samples(const ScopeInput& picture, Visit visit) {
  const auto width = as_size(picture.size.width);
  const auto pixels = std::min(picture.size.pixels(), picture.bytes.size() / picture.pixel_bytes);
  const auto step = sample_step(picture.size);
  for (std::size_t begin = 0; begin < pixels; begin += step * width) {
    const auto* row = picture.bytes.data() + begin * picture.pixel_bytes;
    const auto end = std::min(width, pixels - begin);
    for (std::size_t x = 0; x < end; x += step)
      visit(row + x * picture.pixel_bytes, x);
  }
}

/// The columns of the grid for those of the picture, without a division for each pixel.
class Columns {
 public:
  Columns(std::size_t all, int picture_width)
      : steps_(((all << kBits) + as_size(picture_width) - 1) /
               std::max<std::size_t>(as_size(picture_width), 1)) {}

  [[nodiscard]] std::size_t of(std::size_t x) const { return (x * steps_) >> kBits; }

 private:
  static constexpr unsigned kBits = 32;
  std::size_t steps_;
};

/// The rows of a grid by level.
using LevelRows = std::array<std::size_t, kScopeLevels>;

LevelRows level_rows(std::size_t rows) {
  LevelRows result;
  for (std::size_t level = 0; level < result.size(); ++level)
    result[level] = rows - 1 - level * rows / kScopeLevels;
  return result;
}

void check(const ScopeGrid& grid) {
  SUBMIX_ASSERT(grid.size.width > 0 && grid.size.height > 0);
  SUBMIX_ASSERT(grid.size.height <= kScopeLevels);
  SUBMIX_ASSERT(grid.counts.size() == grid.size.pixels());
}

}  // namespace

int scope_columns(Size picture) {
  return static_cast<int>(samples_along(as_size(picture.width), sample_step(picture)));
}

void count_waveform(const ScopeInput& picture, const ScopeGrid& grid) {
  check(grid);
  std::ranges::fill(grid.counts, 0U);
  const auto width = as_size(grid.size.width);
  const auto rows = level_rows(as_size(grid.size.height));
  const Columns columns(width, picture.size.width);
  visit_samples(picture, [&](const std::uint8_t* rgb, std::size_t x) {
    const auto luma = as_size((sum_of(kLumaShares, rgb) + kHalf) >> 16);
    ++grid.counts[rows[luma] * width + columns.of(x)];
  });
}

void count_parade(const ScopeInput& picture, const ScopeGrid& grid) {
  check(grid);
  std::ranges::fill(grid.counts, 0U);
  const auto width = as_size(grid.size.width);
  const auto third = width / kChannels;
  if (third == 0) return;
  const auto rows = level_rows(as_size(grid.size.height));
  const Columns columns(third, picture.size.width);
  visit_samples(picture, [&](const std::uint8_t* rgb, std::size_t x) {
    const auto column = columns.of(x);
    for (std::size_t part = 0; part < kChannels; ++part)
      ++grid.counts[rows[rgb[part]] * width + part * third + column];
  });
}

TraceBrightness::TraceBrightness(std::uint32_t most) {
  constexpr float kLeast = 60;
  const auto last = std::min<std::size_t>(most, table_.size() - 1);
  const float whole = std::log1p(static_cast<float>(last));
  for (std::size_t count = 1; count <= last; ++count) {
    const float part = std::log1p(static_cast<float>(count)) / whole;
    table_[count] = static_cast<std::uint8_t>(kLeast + (255 - kLeast) * part);
  }
  std::fill(table_.begin() + static_cast<std::ptrdiff_t>(last) + 1, table_.end(), table_[last]);
}

std::array<float, 2> place_in_vectorscope(const std::array<float, 3>& rgb) {
  const float luma = kLumaParts[0] * rgb[0] + kLumaParts[1] * rgb[1] + kLumaParts[2] * rgb[2];
  return {0.5F + (rgb[2] - luma) / kBlueSpan, 0.5F - (rgb[0] - luma) / kRedSpan};
}

void mark_vectorscope(const ScopeInput& picture, int side, std::span<std::uint8_t> rgb24) {
  SUBMIX_ASSERT(side > 0 && side <= kScopeLevels);
  SUBMIX_ASSERT(rgb24.size() == as_size(side) * as_size(side) * kChannels);
  std::ranges::fill(rgb24, std::uint8_t{0});
  const auto steps = static_cast<std::uint32_t>(side - 1);
  const auto step_of = [steps](int difference) -> std::size_t {
    constexpr std::uint32_t kMiddle = 255U * 32768;
    constexpr std::uint32_t kWhole = 2 * kMiddle;
    const auto above = kMiddle + static_cast<std::uint32_t>(difference);
    return (above * steps + kMiddle) / kWhole;
  };
  visit_samples(picture, [&](const std::uint8_t* rgb, std::size_t) {
    const auto x = step_of(sum_of(kBlueShares, rgb));
    const auto y = step_of(-sum_of(kRedShares, rgb));
    auto* mark = &rgb24[(y * as_size(side) + x) * kChannels];
    // A dark one is seen, too.
    constexpr std::uint8_t kLeast = 70;
    for (std::size_t part = 0; part < kChannels; ++part)
      mark[part] = std::max({mark[part], rgb[part], kLeast});
  });
}

std::uint32_t Histogram::highest() const {
  std::uint32_t highest = 1;
  for (const auto& channel : counts)
    highest = std::max(highest, *std::max_element(channel.begin() + 1, channel.end() - 1));
  return highest;
}

Histogram histogram_of(const ScopeInput& picture) {
  Histogram histogram;
  std::size_t all = 0;
  std::size_t black = 0;
  std::size_t white = 0;
  visit_samples(picture, [&](const std::uint8_t* rgb, std::size_t) {
    for (std::size_t part = 0; part < kChannels; ++part)
      ++histogram.counts[part][rgb[part]];
    const auto brightest = std::max({rgb[0], rgb[1], rgb[2]});
    ++all;
    if (brightest == 0) ++black;
    if (brightest == 255) ++white;
  });
  if (all == 0) return histogram;
  histogram.black = static_cast<double>(black) / static_cast<double>(all);
  histogram.white = static_cast<double>(white) / static_cast<double>(all);
  return histogram;
}

int bar_height(std::uint32_t count, std::uint32_t highest, int height) {
  const auto all = static_cast<std::uint64_t>(height);
  const std::uint64_t pixels = (count * all + highest - 1) / highest;
  return static_cast<int>(std::min(pixels, all));
}

}  // namespace submix::media
