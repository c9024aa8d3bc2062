// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/scope.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace submix::media {
namespace {

using ::testing::ElementsAre;
using Bytes = std::vector<std::uint8_t>;
using Counts = std::vector<std::uint32_t>;

// Two rows of four pixels: the left half black, the right half of the colour.
Bytes half(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  Bytes bytes;
  for (int row = 0; row < 2; ++row) {
    bytes.insert(bytes.end(), 6, 0);
    for (int x = 0; x < 2; ++x)
      bytes.insert(bytes.end(), {red, green, blue});
  }
  return bytes;
}

ScopeInput input(const Bytes& bytes) {
  return {{4, 2}, bytes};
}

// A row of all greys, one above the other.
Bytes ramp(std::size_t pixel_bytes, std::size_t rows) {
  Bytes bytes;
  for (std::size_t pixel = 0; pixel < 256 * rows; ++pixel)
    bytes.insert(bytes.end(), pixel_bytes, static_cast<std::uint8_t>(pixel % 256));
  return bytes;
}

TEST(ScopeWaveform, IsADiagonalOfAGreyRamp) {
  for (const std::size_t pixel_bytes : {3U, 4U}) {
    const auto bytes = ramp(pixel_bytes, 3);
    Counts counts(std::size_t{256} * 256, 7);
    count_waveform({{256, 3}, bytes, pixel_bytes}, {{256, 256}, counts});
    for (std::size_t level = 0; level < 256; ++level)
      ASSERT_EQ(counts[(255 - level) * 256 + level], 3U) << level;
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0U), 3U * 256) << "nowhere else";
  }
}

TEST(ScopeWaveform, OfAColourIsAsHighAsItsBrightness) {
  const auto bytes = half(0, 255, 0);
  Counts counts(std::size_t{2} * 256);
  count_waveform(input(bytes), {{2, 256}, counts});
  EXPECT_EQ(counts[510], 4U) << "black";
  EXPECT_EQ(counts[(255 - 182) * 2 + 1], 4U) << "0.7152 of 255";
}

TEST(ScopeWaveform, FitsAGridOfFewRows) {
  const auto bytes = half(255, 255, 255);
  Counts counts(6);
  count_waveform(input(bytes), {{2, 3}, counts});
  EXPECT_THAT(counts, ElementsAre(0, 4, 0, 0, 4, 0));
}

TEST(ScopeParade, HasRedGreenAndBlueSideBySide) {
  const auto bytes = half(255, 0, 255);
  Counts counts(14);
  count_parade(input(bytes), {{7, 2}, counts});
  EXPECT_THAT(counts, ElementsAre(0, 4, 0, 0, 0, 4, 0,  //
                                  4, 0, 4, 4, 4, 0, 0));
  Counts narrow(2, 9);
  count_parade(input(bytes), {{2, 1}, narrow});
  EXPECT_THAT(narrow, ElementsAre(0, 0)) << "no room for three";
}

TEST(ScopeVectorscope, MarksAColourWhereItsPlaceIs) {
  for (const auto& [name, rgb] : kColorTargets) {
    Bytes pixel;
    for (const float part : rgb)
      pixel.push_back(static_cast<std::uint8_t>(part * 255));
    Bytes marks(std::size_t{256} * 256 * 3);
    mark_vectorscope({{1, 1}, pixel}, 256, marks);
    const auto found =
        std::ranges::find_if(marks, [](std::uint8_t mark) { return mark > 0; }) - marks.begin();
    const auto [x, y] = place_in_vectorscope(rgb);
    const auto place = found / 3;
    const auto row = place / 256;
    EXPECT_NEAR(static_cast<double>(place % 256), x * 255, 1.01) << name;
    EXPECT_NEAR(static_cast<double>(row), y * 255, 1.01) << name;
  }
}

TEST(ScopeVectorscope, HasGreysInTheMiddleAndPureColoursAtTheEdges) {
  const auto place_of = [](const Bytes& pixel, int side) {
    Bytes marks(static_cast<std::size_t>(side * side) * 3);
    mark_vectorscope({{1, 1}, pixel}, side, marks);
    const auto found = std::ranges::find_if(marks, [](std::uint8_t mark) { return mark > 0; });
    const auto place = static_cast<int>((found - marks.begin()) / 3);
    return std::vector<int>{place % side, place / side};
  };
  for (const std::uint8_t grey : Bytes{0, 1, 128, 255})
    EXPECT_THAT(place_of({grey, grey, grey}, 256), ElementsAre(128, 128));
  EXPECT_THAT(place_of({255, 0, 0}, 256), ElementsAre(98, 0));
  EXPECT_THAT(place_of({0, 0, 255}, 256), ElementsAre(255, 139));
  EXPECT_THAT(place_of({0, 255, 255}, 5), ElementsAre(2, 4));
  EXPECT_THAT(place_of({9, 8, 7}, 1), ElementsAre(0, 0));
}

TEST(ScopeVectorscope, KeepsTheBrightestColourOfAPlace) {
  Bytes marks(3);
  mark_vectorscope({{2, 1}, Bytes{200, 10, 90, 100, 120, 80}}, 1, marks);
  EXPECT_THAT(marks, ElementsAre(200, 120, 90));
  mark_vectorscope({{1, 1}, Bytes{0, 0, 1}}, 1, marks);
  EXPECT_THAT(marks, ElementsAre(70, 70, 70)) << "a dark one is seen, and the former ones are gone";
}

TEST(ScopeVectorscope, PlacesRedAtTheUpperEdgeAndBlueAtTheRightOne) {
  EXPECT_NEAR(place_in_vectorscope({1, 0, 0})[1], 0, 1e-4);
  EXPECT_LT(place_in_vectorscope({1, 0, 0})[0], 0.5);
  EXPECT_NEAR(place_in_vectorscope({0, 0, 1})[0], 1, 1e-4);
  EXPECT_GT(place_in_vectorscope({0, 0, 1})[1], 0.5);
  EXPECT_LT(place_in_vectorscope({0, 1, 0})[0], 0.2);
}

TEST(ScopeHistogram, CountsEachColourAndWhatIsClipped) {
  const auto bytes = half(255, 10, 0);
  const auto histogram = histogram_of(input(bytes));
  EXPECT_EQ(histogram.counts[0][255], 4U);
  EXPECT_EQ(histogram.counts[1][10], 4U);
  EXPECT_EQ(histogram.counts[2][0], 8U);
  EXPECT_DOUBLE_EQ(histogram.black, 0.5);
  EXPECT_DOUBLE_EQ(histogram.white, 0.5);
  EXPECT_EQ(histogram.highest(), 4U) << "of green: black does not count";
  EXPECT_EQ(Histogram().highest(), 1U);
}

TEST(ScopeHistogram, HasBarsThatFitTheHeight) {
  EXPECT_EQ(bar_height(0, 100, 50), 0);
  EXPECT_EQ(bar_height(1, 1'000, 50), 1) << "is seen";
  EXPECT_EQ(bar_height(50, 100, 50), 25);
  EXPECT_EQ(bar_height(4'000'000'000, 1, 4'320), 4'320);
}

TEST(TraceBrightness, ShowsASinglePixelAndGrowsToTheLargestCount) {
  const TraceBrightness trace(1'000);
  EXPECT_EQ(trace.of(0), 0);
  EXPECT_GE(trace.of(1), 60);
  EXPECT_GT(trace.of(10), trace.of(1));
  EXPECT_EQ(trace.of(1'000), 255);
  EXPECT_EQ(TraceBrightness(1'000'000).of(1'000'000), 255) << "beyond the table";
  EXPECT_EQ(TraceBrightness(0).of(0), 0);
}

TEST(Scope, MeasuresSoManyPixelsOfAnySizeThatNoneIsTooSlow) {
  for (const Size size : {Size{640, 360}, Size{1281, 721}, Size{7'680, 4'320}, Size{16, 100'000}}) {
    const Bytes bytes(size.pixels() * 3, 128);
    const auto histogram = histogram_of({size, bytes});
    EXPECT_LE(histogram.counts[0][128], kScopeSamplesMax);
    EXPECT_GE(histogram.counts[0][128], kScopeSamplesMax / 4) << "and not far too few";

    const auto columns = scope_columns(size);
    Counts counts(static_cast<std::size_t>(columns));
    count_waveform({size, bytes}, {{columns, 1}, counts});
    EXPECT_GT(std::ranges::min(counts), 0U) << "no column stays empty";
  }
  EXPECT_EQ(scope_columns({640, 360}), 640);
  EXPECT_EQ(scope_columns({1'280, 720}), 640);
}

TEST(Scope, StaysWithPicturesOfNoOrTooFewPixels) {
  EXPECT_DOUBLE_EQ(histogram_of({}).black, 0);
  const Bytes few(5);
  Counts counts(256);
  count_waveform({{1'000, 1'000}, few}, {{1, 256}, counts});
  EXPECT_EQ(counts[255], 1U);
  count_waveform({{0, 0}, few}, {{1, 256}, counts});
  EXPECT_EQ(std::ranges::max(counts), 0U);
}

}  // namespace
}  // namespace submix::media
