// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/media/cube_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace submix::media {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kSmallCube =
    "# made by hand\nTITLE \"Small # one\"\n\nLUT_1D_SIZE 2\nDOMAIN_MIN 0 0 0.5\n"
    "DOMAIN_MAX 1 1 2\n0 0.25 -1e-1\n+1\t.5   2\n";

std::string refused(std::string_view text) {
  const auto cube = parse_cube(text, "a.cube");
  return cube ? "none" : cube.error().message;
}

std::string rows(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += "0 0 0\n";
  return text;
}

TEST(CubeFile, HasSizeDomainAndRows) {
  const auto cube = parse_cube(kSmallCube, "a.cube").value();
  EXPECT_FALSE(cube.is_3d);
  EXPECT_EQ(cube.size, 2U);
  EXPECT_THAT(cube.domain_min, ElementsAre(0, 0, 0.5F));
  EXPECT_THAT(cube.domain_max, ElementsAre(1, 1, 2));
  EXPECT_THAT(cube.rows, ElementsAre(CubeFile::Row{0, 0.25F, -0.1F}, CubeFile::Row{1, 0.5F, 2}));
}

TEST(CubeFile, HasEitherLineEndAndMayBeginWithAByteOrderMark) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : kSmallCube)
    text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  text.resize(text.size() - 2);  // the last line has no end
  EXPECT_EQ(parse_cube(text, "a.cube").value().rows, parse_cube(kSmallCube, "a.cube").value().rows);
}

TEST(CubeFile, TakesTheInputRangeAsDomain) {
  const auto cube =
      parse_cube("LUT_3D_SIZE 2\nLUT_3D_INPUT_RANGE 0.25 0.75\n" + rows(8), "a.cube").value();
  EXPECT_TRUE(cube.is_3d);
  EXPECT_THAT(cube.domain_min, ElementsAre(0.25F, 0.25F, 0.25F));
  EXPECT_THAT(cube.domain_max, ElementsAre(0.75F, 0.75F, 0.75F));
}

TEST(CubeFile, HasUpTo65PointsAnAxis) {
  EXPECT_EQ(parse_cube("LUT_3D_SIZE 65\n" + rows(274'625), "a.cube").value().size, 65U);
  EXPECT_THAT(refused("LUT_3D_SIZE 66\n"),
              HasSubstr("LUT a.cube: line 1: size \"66\" is not within 2 to 65"));
  EXPECT_THAT(refused("\nLUT_1D_SIZE 65537\n"), HasSubstr("line 2: size \"65537\" is not within"));
  EXPECT_THAT(refused("LUT_3D_SIZE 1\n"), HasSubstr("line 1: size \"1\" is not within"));
  EXPECT_THAT(refused("LUT_3D_SIZE -2\n"), HasSubstr("line 1: size \"-2\" is not within"));
  EXPECT_THAT(refused("LUT_3D_SIZE 2 2\n"), HasSubstr("line 1: size"));
  EXPECT_THAT(refused("LUT_3D_SIZE\n"), HasSubstr("line 1: size \"\" is not within"));
}

TEST(CubeFile, RefusesAWrongRowByItsLine) {
  const std::string head = "LUT_1D_SIZE 2\n0 0 0\n";
  EXPECT_THAT(refused(head + "0 0\n"), HasSubstr("line 3: \"0 0\" is not three numbers; export"));
  EXPECT_THAT(refused(head + "0 0 0 0\r\n"), HasSubstr("line 3: \"0 0 0 0\" is not three"));
  EXPECT_THAT(refused(head + "0 0 x\n"), HasSubstr("line 3: \"0 0 x\" is not three numbers"));
  EXPECT_THAT(refused(head + "0 0 nan\n"), HasSubstr("line 3: \"0 0 nan\" is not three numbers"));
  EXPECT_THAT(refused(head + "0 0 1e99\n"), HasSubstr("line 3: \"0 0 1e99\" is not three"));
  EXPECT_THAT(refused(head + "0 0,5 0\n"), HasSubstr("line 3: \"0 0,5 0\" is not three numbers"));
}

TEST(CubeFile, RefusesAWrongNumberOfRows) {
  EXPECT_THAT(refused("LUT_3D_SIZE 2\n" + rows(7)),
              HasSubstr("line 8: the file ends after 7 of 8 rows; copy or export it again"));
  EXPECT_THAT(refused("LUT_3D_SIZE 2\n" + rows(9)),
              HasSubstr("line 10: is one row too many: size 2 has 8"));
  EXPECT_THAT(refused(rows(8)), HasSubstr("line 1: numbers come before LUT_1D_SIZE"));
  EXPECT_THAT(refused(""), HasSubstr("line 0: the file ends without LUT_1D_SIZE"));
}

TEST(CubeFile, RefusesOtherWordsAndASecondSize) {
  EXPECT_THAT(refused("LUT_2D_SIZE 2\n"),
              HasSubstr("line 1: \"LUT_2D_SIZE\" is no word of a .cube file"));
  EXPECT_THAT(refused("\x89PNG\x1A\n"), HasSubstr("line 1: \"?PNG?\" is no word"));
  EXPECT_THAT(refused("LUT_1D_SIZE 2\nLUT_3D_SIZE 2\n"), HasSubstr("line 2: is a second size"));
}

TEST(CubeFile, RefusesAnEmptyDomain) {
  EXPECT_THAT(refused("LUT_1D_SIZE 2\nDOMAIN_MIN 0 1 0\n" + rows(2)),
              HasSubstr("line 2: the domain 1 to 1 is empty; its minimum must be below"));
  EXPECT_THAT(refused("DOMAIN_MAX 1 1\n"), HasSubstr("line 1: \" 1 1\" is not three numbers"));
  EXPECT_THAT(refused("LUT_1D_INPUT_RANGE 1\n"), HasSubstr("line 1: \" 1\" is not two numbers"));
}

TEST(CubeFile, RefusesMoreThan16MegabytesUnread) {
  EXPECT_THAT(refused(std::string(CubeFile::kBytesMax + 1, '#')),
              HasSubstr("has 16777217 bytes; at most 16777216 are read"));
}

TEST(CubeFile, IsRefusedWhereverItIsCutOff) {
  const std::string text = "LUT_3D_SIZE 2\n" + rows(8);
  for (std::size_t length = 0; length + 2 < text.size(); ++length)
    EXPECT_THAT(refused(text.substr(0, length)), HasSubstr("LUT a.cube: line ")) << length;
}

}  // namespace
}  // namespace submix::media
