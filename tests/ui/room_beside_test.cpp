// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/shell/room_beside.hpp"

#include <gtest/gtest.h>

namespace submix::ui {
namespace {

constexpr DesktopArea kFullHd{0, 0, {1920, 1080}};
constexpr Size kPicture{1280, 720};

TEST(RoomBeside, IsLeftByAWindowAtTheEdgeOfAWideDisplay) {
  EXPECT_TRUE(leaves_room({1440, 900}, kFullHd.size));
  EXPECT_FALSE(leaves_room({1440, 900}, {1440, 900}));
  EXPECT_FALSE(leaves_room({1620, 900}, kFullHd.size));
}

// On the only display of a laptop the first output was nowhere.
TEST(RoomBeside, IsLeftByAWindowThatIsOpenedForTheFirstTime) {
  for (const Size display : {Size{1280, 720}, Size{1366, 768}, Size{1440, 900}, Size{1600, 900},
                             Size{1920, 1080}, Size{2560, 1440}}) {
    EXPECT_TRUE(leaves_room(first_size(display), display)) << display.width;
    EXPECT_LE(first_size(display).height, display.height);
  }
  EXPECT_EQ(first_size({1920, 1080}), (Size{1440, 900}));
  EXPECT_EQ(first_size({1366, 768}), (Size{1062, 728}));
}

TEST(RoomBeside, IsNotLeftWhereTheWindowWouldBeTooNarrow) {
  EXPECT_EQ(first_size({1024, 768}), (Size{1024, 728}));
  EXPECT_EQ(first_size({800, 480}), (Size{800, 600}));
}

TEST(RoomBeside, TakesTheSideWithMoreOfIt) {
  EXPECT_EQ(place_beside({0, 90, {1440, 900}}, kFullHd, kPicture),
            (DesktopArea{1464, 90, {432, 243}}));
  EXPECT_EQ(place_beside({480, 90, {1440, 900}}, kFullHd, kPicture),
            (DesktopArea{24, 90, {432, 243}}));
}

TEST(RoomBeside, IsOnTheWindowsOwnDisplay) {
  const DesktopArea second{1920, 100, {2560, 1440}};
  EXPECT_EQ(place_beside({1920, 60, {1440, 900}}, second, kPicture),
            (DesktopArea{3384, 100, {1072, 603}}));
}

TEST(RoomBeside, IsNotTakenByMoreThanThePicture) {
  EXPECT_EQ(place_beside({0, 0, {1440, 900}}, {0, 0, {3840, 2160}}, kPicture),
            (DesktopArea{1464, 0, kPicture}));
}

TEST(RoomBeside, HoldsThePictureOfALowWindow) {
  EXPECT_EQ(place_beside({0, 900, {1440, 180}}, kFullHd, kPicture),
            (DesktopArea{1464, 837, {432, 243}}));
}

TEST(RoomBeside, IsNoneBesideAWindowThatFillsItsDisplayOrStandsInItsMiddle) {
  EXPECT_EQ(place_beside(kFullHd, kFullHd, kPicture), std::nullopt);
  EXPECT_EQ(place_beside({240, 90, {1440, 900}}, kFullHd, kPicture), std::nullopt);
}

}  // namespace
}  // namespace submix::ui
