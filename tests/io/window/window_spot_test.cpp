// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/window/window_spot.hpp"

#include <gtest/gtest.h>

namespace submix::io {
namespace {

constexpr Size kPicture{1280, 720};
const std::vector<Display> kDisplays{{"eDP-1", 0, 0, {1920, 1080}, 60},
                                     {"EPSON PJ", 1920, 40, {1280, 800}, 60}};

TEST(WindowSpot, CountsFromTheCornerOfItsDisplay) {
  EXPECT_EQ(rectangle_of({100, 50, 640}, kPicture, 0, kDisplays), (Rectangle{100, 50, {640, 360}}));
  EXPECT_EQ(rectangle_of({100, 50, 640}, kPicture, 1, kDisplays),
            (Rectangle{2020, 90, {640, 360}}));
}

TEST(WindowSpot, IsNoneWithoutAWidthOrWithoutItsDisplay) {
  EXPECT_EQ(rectangle_of({100, 50, 0}, kPicture, 0, kDisplays), std::nullopt);
  EXPECT_EQ(rectangle_of({100, 50, 640}, kPicture, 2, kDisplays), std::nullopt);
  EXPECT_EQ(rectangle_of({100, 50, 640}, kPicture, 0, {}), std::nullopt);
}

TEST(WindowSpot, IsNeverOutOfSight) {
  EXPECT_EQ(rectangle_of({16384, 16384, 640}, kPicture, 1, kDisplays),
            (Rectangle{1920 + 1216, 40 + 736, {640, 360}}));
  EXPECT_EQ(rectangle_of({0, 0, 1}, {1920, 16}, 0, kDisplays), (Rectangle{0, 0, {64, 1}}));
}

TEST(WindowSpot, IsAtMostTwiceAsLargeAsItsDisplay) {
  EXPECT_EQ(rectangle_of({0, 0, 16384}, kPicture, 0, kDisplays), (Rectangle{0, 0, {3840, 2160}}));
  EXPECT_EQ(rectangle_of({0, 0, 2500}, {64, 2000}, 0, kDisplays), (Rectangle{0, 0, {69, 2156}}));
}

TEST(WindowSpot, MayBeLargerThanItsDisplay) {
  EXPECT_EQ(rectangle_of({0, 0, 3200}, kPicture, 0, kDisplays), (Rectangle{0, 0, {3200, 1800}}));
}

}  // namespace
}  // namespace submix::io
