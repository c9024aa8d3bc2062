// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/downscaler.hpp"

#include "common/media/frame_pool.hpp"

#include <gtest/gtest.h>

namespace submix::media {
namespace {

/// Left half red, right half blue; alpha is 0 throughout, which must not matter.
Frame halves(Size size) {
  FramePool pool(size, 1);
  auto writable = *pool.try_acquire();
  const auto pixels = writable.rgba();
  for (std::size_t i = 0; i < pixels.size(); i += 4) {
    const bool is_left = static_cast<int>(i / 4) % size.width < size.width / 2;
    pixels[i] = is_left ? 255 : 0;
    pixels[i + 1] = 0;
    pixels[i + 2] = is_left ? 0 : 255;
    pixels[i + 3] = 0;
  }
  return std::move(writable).publish();
}

TEST(Downscaler, KeepsTheAspectAndTheColours) {
  Downscaler downscaler;
  Rgb24Image image;
  downscaler.shrink(halves({1280, 720}), 320, image);
  EXPECT_EQ(image.size, (Size{320, 180}));
  ASSERT_EQ(image.pixels.size(), 320U * 180U * 3U);
  EXPECT_EQ(image.pixels[0], 255);
  EXPECT_EQ(image.pixels[2], 0);
  EXPECT_EQ(image.pixels[319 * 3], 0);
  EXPECT_EQ(image.pixels[319 * 3 + 2], 255);
}

TEST(Downscaler, NeverEnlarges) {
  Downscaler downscaler;
  Rgb24Image image;
  downscaler.shrink(halves({64, 32}), 320, image);
  EXPECT_EQ(image.size, (Size{64, 32}));
  EXPECT_EQ(image.pixels[0], 255);
}

TEST(Downscaler, KeepsARowOfAVeryWidePicture) {
  EXPECT_EQ(downscaled({8192, 16}, 100), (Size{100, 1}));
  Downscaler downscaler;
  Rgb24Image image;
  downscaler.shrink(halves({8192, 16}), 100, image);
  EXPECT_EQ(image.pixels.size(), 300U);
}

}  // namespace
}  // namespace submix::media
