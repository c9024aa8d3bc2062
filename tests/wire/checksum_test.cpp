// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/wire/checksum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace submix::wire {
namespace {

std::vector<std::uint8_t> counted(std::size_t bytes) {
  std::vector<std::uint8_t> pixels(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    pixels[i] = static_cast<std::uint8_t>(i * 7 >> 2);
  return pixels;
}

// The expected values are from the reference program: xxhsum -H3.
TEST(Checksum, IsTheReferencesWhateverTheLength) {
  EXPECT_EQ(checksum_of({}), 0x2d06800538d394c2);
  EXPECT_EQ(checksum_of(counted(3)), 0x8fecb24e5f5c2208);
  EXPECT_EQ(checksum_of(counted(192)), 0xbf50a8617d5e08a3);
  EXPECT_EQ(checksum_of(counted(1023)), 0xde409c30f570662a);
  EXPECT_EQ(checksum_of(counted(1'044'480)), 0x5777866265e60f0b);
}

TEST(Checksum, IsAnotherOneForEachBitThatIsFlipped) {
  auto pixels = counted(3072);
  const auto right = checksum_of(pixels);
  for (std::size_t bit = 0; bit < pixels.size() * 8; ++bit) {
    const auto flipped = static_cast<std::uint8_t>(1U << bit % 8);
    pixels[bit / 8] ^= flipped;
    EXPECT_NE(checksum_of(pixels), right) << "bit " << bit;
    pixels[bit / 8] ^= flipped;
  }
  EXPECT_EQ(checksum_of(pixels), right);
}

TEST(Checksum, TellsPixelsThatHaveChangedPlaces) {
  auto pixels = counted(3072);
  const auto right = checksum_of(pixels);
  std::swap_ranges(pixels.begin(), pixels.begin() + 100, pixels.begin() + 100);
  EXPECT_NE(checksum_of(pixels), right);
}

}  // namespace
}  // namespace submix::wire
