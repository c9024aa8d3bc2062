// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/pixels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace submix::media {
namespace {

using ::testing::ElementsAre;

TEST(Pixels, KeepTheOrderOfTheChannels) {
  const std::vector<std::uint8_t> rgba{1, 2, 3, 200, 4, 5, 6, 0};
  std::vector<std::uint8_t> rgb24(6);
  pack_rgb24(rgba, rgb24);
  EXPECT_THAT(rgb24, ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Pixels, SwapRedAndBlueAndKeepAlpha) {
  const std::vector<std::uint8_t> rgba{1, 2, 3, 200, 4, 5, 6, 0};
  std::vector<std::uint8_t> bgra(8);
  swap_red_and_blue(rgba, bgra);
  EXPECT_THAT(bgra, ElementsAre(3, 2, 1, 200, 6, 5, 4, 0));
}

TEST(Pixels, ComeBackOpaqueAndUnchangedAtEveryLength) {
  constexpr unsigned kSeed = 20;
  std::mt19937 random(kSeed);
  for (std::size_t pixels = 1; pixels < 200; ++pixels) {
    std::vector<std::uint8_t> rgb24(pixels * 3);
    for (auto& value : rgb24)
      value = static_cast<std::uint8_t>(random());
    std::vector<std::uint8_t> rgba(pixels * 4);
    std::vector<std::uint8_t> again(pixels * 3);
    unpack_rgb24(rgb24, rgba);
    pack_rgb24(rgba, again);
    ASSERT_EQ(again, rgb24) << pixels << " pixels, seed " << kSeed;
    for (std::size_t i = 3; i < rgba.size(); i += 4)
      ASSERT_EQ(rgba[i], 255);
  }
}

TEST(Pixels, AreConvertedToEitherFormat) {
  const std::vector<std::uint8_t> rgb24{1, 2, 3, 4, 5, 6};
  std::vector<std::uint8_t> rgba(8);
  convert(rgb24, rgba, PixelFormat::rgba);
  EXPECT_THAT(rgba, ElementsAre(1, 2, 3, 255, 4, 5, 6, 255));
  std::vector<std::uint8_t> again(6);
  convert(rgba, again, PixelFormat::rgb24);
  EXPECT_EQ(again, rgb24);
}

TEST(Pixels, AreOpaqueOnlyIfEachOneIs) {
  EXPECT_TRUE(is_opaque({}));
  for (const std::size_t pixels : {1U, 3U, 4095U, 4096U, 4097U, 10'000U}) {
    std::vector<std::uint8_t> rgba(pixels * 4, 255);
    for (std::size_t i = 0; i < rgba.size(); i += 4)
      rgba[i] = static_cast<std::uint8_t>(i);
    EXPECT_TRUE(is_opaque(rgba)) << pixels;
    for (const auto odd : {std::size_t{0}, pixels / 2, pixels - 1}) {
      rgba[odd * 4 + 3] = 254;
      EXPECT_FALSE(is_opaque(rgba)) << odd << " of " << pixels;
      const auto colors = rgba;
      make_opaque(rgba);
      EXPECT_TRUE(is_opaque(rgba));
      EXPECT_EQ(rgba[odd * 4], colors[odd * 4]);
    }
  }
}

}  // namespace
}  // namespace submix::media
