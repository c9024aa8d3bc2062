// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/jpeg.hpp"

#include "tests/support/why.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace submix::media {
namespace {

using ::testing::HasSubstr;

/// A slope in each channel, in odd sizes as previews have them.
Rgb24Image slopes() {
  Rgb24Image image{{321, 181}, {}};
  for (int y = 0; y < image.size.height; ++y) {
    for (int x = 0; x < image.size.width; ++x) {
      image.pixels.push_back(static_cast<std::uint8_t>(x * 255 / image.size.width));
      image.pixels.push_back(static_cast<std::uint8_t>(y * 255 / image.size.height));
      image.pixels.push_back(static_cast<std::uint8_t>((x + y) / 2));
    }
  }
  return image;
}

TEST(Jpeg, ComesBackAlmostTheSameInAFractionOfTheBytes) {
  const auto image = slopes();
  const auto encoded = encode_jpeg(image).value();
  EXPECT_LT(encoded.size(), image.pixels.size() / 10);
  const auto decoded = decode_jpeg(encoded, image.size).value();
  ASSERT_EQ(decoded.pixels.size(), image.pixels.size());
  int worst = 0;
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    worst = std::max(worst, std::abs(int{image.pixels[i]} - int{decoded.pixels[i]}));
  EXPECT_LE(worst, 12);
}

TEST(Jpeg, OtherSizesAndBrokenBytesAreRefused) {
  const auto image = slopes();
  const auto encoded = encode_jpeg(image).value();
  EXPECT_THAT(why(decode_jpeg(encoded, {320, 180})),
              HasSubstr("the picture has 321x181 pixels, and not 320x180"));
  EXPECT_THAT(why(decode_jpeg("no picture", image.size)), HasSubstr("JPEG: "));
  EXPECT_FALSE(decode_jpeg({}, image.size).has_value());
  EXPECT_FALSE(decode_jpeg(encoded.substr(0, 200), image.size).has_value());
}

}  // namespace
}  // namespace submix::media
