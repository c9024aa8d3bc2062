// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/io/picture_turn.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::io {
namespace {

constexpr std::int32_t kOne = 1 << 16;

/// The picture "abc" over "def", turned by a matrix, row by row.
std::string turned_by(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
  const auto turn = turn_of({a, b, 0, c, d, 0, 0, 0, 1 << 30});
  const Size size = turned({3, 2}, turn);
  std::vector<std::uint8_t> from;
  for (const char letter : std::string("abcdef"))
    from.insert(from.end(), 4, static_cast<std::uint8_t>(letter));
  std::vector<std::uint8_t> to(from.size());
  turn_pixels(from, to, size, turn);
  std::string shown;
  for (std::size_t i = 0; i < size.pixels(); ++i) {
    if (i > 0 && i % static_cast<std::size_t>(size.width) == 0) shown += '/';
    shown += static_cast<char>(to[i * 4]);
  }
  return shown;
}

TEST(PictureTurn, FollowsTheMatrix) {
  EXPECT_EQ(turned_by(kOne, 0, 0, kOne), "abc/def");
  EXPECT_EQ(turned_by(0, kOne, -kOne, 0), "da/eb/fc") << "a quarter clockwise";
  EXPECT_EQ(turned_by(-kOne, 0, 0, -kOne), "fed/cba");
  EXPECT_EQ(turned_by(0, -kOne, kOne, 0), "cf/be/ad");
  EXPECT_EQ(turned_by(-kOne, 0, 0, kOne), "cba/fed") << "mirrored";
  EXPECT_EQ(turned_by(0, kOne, kOne, 0), "ad/be/cf");
}

TEST(PictureTurn, TakesTheNearestQuarter) {
  EXPECT_EQ(turned_by(kOne, 1000, -1000, kOne), "abc/def");
}

}  // namespace
}  // namespace submix::io
