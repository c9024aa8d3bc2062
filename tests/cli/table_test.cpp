// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/table.hpp"

#include <gtest/gtest.h>

namespace submix::cli {
namespace {

TEST(Table, AlignsTextLeftAndFiguresRight) {
  Table table({"NAME", ">FPS", "WHY"});
  table.add({"left", "30.0", ""});
  table.add({"été", "5.0", "…"});
  EXPECT_EQ(table.text(),
            "NAME   FPS  WHY\n"
            "left  30.0\n"
            "été    5.0  …\n");
}

TEST(Table, LeavesOutAColumnOfEmptyCells) {
  Table table({"NAME", "ERROR", ">FPS"});
  table.add({"left", "", "30.0"});
  EXPECT_EQ(table.text(), "NAME   FPS\nleft  30.0\n");
}

TEST(Table, KeepsRoomForCellsThatComeLater) {
  Table table({"NAME", ">FPS", "WHY"});
  table.expect({"right", "30.00", "wait"});
  EXPECT_EQ(table.take_new_rows(), "");
  table.add({"left", "5", ""});
  EXPECT_EQ(table.take_new_rows(),
            "NAME     FPS  WHY\n"
            "left       5\n");
  table.add({"right", "30.0", "late"});
  EXPECT_EQ(table.take_new_rows(), "right   30.0  late\n");
  EXPECT_EQ(table.take_new_rows(), "");
}

TEST(Table, IsEmptyWithoutRows) {
  EXPECT_EQ(Table({"NAME"}).text(), "");
}

}  // namespace
}  // namespace submix::cli
