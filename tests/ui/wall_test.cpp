// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/wall.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace submix::ui {
namespace {

using session::PictureKey;
using ::testing::ElementsAre;

const PictureKey kLeft{"left", {}};
const PictureKey kRight{"right", {}};
const PictureKey kClip{"left", "clip"};
constexpr WallRoom kRoom{
    .width = 1200, .height = 700, .aspect = 2, .label = 20, .gap = 10, .scale = 1};

class WallTest : public ::testing::Test {
 protected:
  void expect_all_within(const WallRoom& room) const {
    for (const auto& cell : wall_cells(wall_, room)) {
      EXPECT_LE(cell.x + cell.width, room.width + 0.5F);
      EXPECT_LE(cell.y + cell.height, room.height + 0.5F);
    }
  }
  void expect_none_overlap() const {
    const auto cells = wall_cells(wall_, kRoom);
    for (std::size_t a = 0; a < cells.size(); ++a) {
      for (std::size_t b = a + 1; b < cells.size(); ++b) {
        const bool is_beside =
            cells[a].x + cells[a].width <= cells[b].x || cells[b].x + cells[b].width <= cells[a].x;
        const bool is_below = cells[a].y + cells[a].height <= cells[b].y ||
                              cells[b].y + cells[b].height <= cells[a].y;
        EXPECT_TRUE(is_beside || is_below) << a << " and " << b;
      }
    }
  }

  Wall wall_;
};

TEST_F(WallTest, HasNoMoreCellsThanTheMostThatItMayHave) {
  for (const int typed : {-1, kWallCellsMax + 1, 99'999'999}) {
    wall_.cells = typed;
    EXPECT_EQ(wall_cells(wall_, kRoom).size(),
              static_cast<std::size_t>(std::clamp(typed, 1, kWallCellsMax)));
  }
}

TEST_F(WallTest, FitsAnyNumberOfEqualCellsInAnyLayoutIntoItsRoom) {
  for (const auto layout : {WallLayout::row, WallLayout::column, WallLayout::tiled}) {
    for (int count = 1; count <= kWallCellsMax; ++count) {
      wall_.layout = layout;
      wall_.cells = count;
      ASSERT_EQ(wall_cells(wall_, kRoom).size(), static_cast<std::size_t>(count));
      expect_all_within(kRoom);
      expect_none_overlap();
    }
  }
}

TEST_F(WallTest, PutsARowSideBySideAndAColumnOneBelowTheOther) {
  wall_.layout = WallLayout::row;
  wall_.cells = 3;
  for (const auto& cell : wall_cells(wall_, kRoom))
    EXPECT_EQ(cell.y, 0);
  wall_.layout = WallLayout::column;
  for (const auto& cell : wall_cells(wall_, kRoom))
    EXPECT_EQ(cell.x, 0);
}

TEST_F(WallTest, TilesSoThatCellsAreAsLargeAsTheyCanBe) {
  wall_.cells = 4;
  EXPECT_EQ(wall_cells(wall_, kRoom)[1].y, 0) << "two by two";
  EXPECT_GT(wall_cells(wall_, kRoom)[2].y, 0);
}

TEST_F(WallTest, HasCellsOfTheWishedSizeEvenWhereTheyDoNotFit) {
  wall_.cells = 16;
  wall_.size = 500;
  const auto cells = wall_cells(wall_, kRoom);
  EXPECT_EQ(cells[0].width, 500);
  EXPECT_GT(cells.back().y, kRoom.height) << "the wall scrolls";
}

TEST_F(WallTest, ShowsAtFirstWhatIsUsual) {
  wall_.cells = 2;
  fill_wall(wall_, {kLeft, kRight}, {kLeft, kClip, kRight});
  EXPECT_THAT(wall_.keys, ElementsAre(kLeft, kRight));
}

TEST_F(WallTest, ShowsWhatIsLeftAndThenRepeats) {
  wall_.cells = 4;
  fill_wall(wall_, {kLeft, kRight}, {kLeft, kClip, kRight});
  EXPECT_THAT(wall_.keys, ElementsAre(kLeft, kRight, kClip, kLeft));
}

TEST_F(WallTest, KeepsWhatAPersonHasChosen) {
  wall_.cells = 2;
  wall_.keys = {kClip};
  fill_wall(wall_, {kLeft, kRight}, {kLeft, kClip, kRight});
  EXPECT_THAT(wall_.keys, ElementsAre(kClip, kLeft));
}

TEST_F(WallTest, TakesOffWhatTheShowHasNoMore) {
  wall_.cells = 1;
  wall_.keys = {PictureKey{"gone", {}}};
  fill_wall(wall_, {kLeft}, {kLeft});
  EXPECT_THAT(wall_.keys, ElementsAre(kLeft));
}

TEST_F(WallTest, HasNoLargePictureThatIsNotOnIt) {
  wall_.cells = 2;
  wall_.large = 5;
  fill_wall(wall_, {kLeft, kRight}, {kLeft, kRight});
  EXPECT_FALSE(wall_.large);
}

TEST_F(WallTest, ChangesThePlacesOfTwoCells) {
  wall_.keys = {kLeft, kRight, kClip};
  swap_cells(wall_, 0, 2);
  EXPECT_THAT(wall_.keys, ElementsAre(kClip, kRight, kLeft));
  swap_cells(wall_, 0, 99);
  EXPECT_THAT(wall_.keys, ElementsAre(kClip, kRight, kLeft));
}

}  // namespace
}  // namespace submix::ui
