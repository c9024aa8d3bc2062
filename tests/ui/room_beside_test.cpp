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
  EXPECT_FALSE(leaves_room({1600, 900}, kFullHd.size));
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
