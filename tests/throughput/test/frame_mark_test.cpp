// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/frame_mark.hpp"

#include "tests/throughput/sequence_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace submix::throughput {
namespace {

constexpr std::size_t kPixels = std::size_t{1024} * 768;
constexpr std::size_t kCellPixels = 1024;

std::vector<std::uint8_t> marked(const FrameMark& mark, std::size_t bytes_per_pixel = 4,
                                 std::size_t pixels = kPixels) {
  std::vector<std::uint8_t> bytes(pixels * bytes_per_pixel, 0x55);
  write_marks({bytes, bytes_per_pixel}, mark);
  return bytes;
}

MarkReading read(const std::vector<std::uint8_t>& bytes, std::size_t bytes_per_pixel = 4) {
  return read_marks({bytes, bytes_per_pixel});
}

TEST(FrameMark, IsReadBackFromPixelsOfThreeAndFourBytes) {
  for (const std::uint64_t index : {0ULL, 1ULL, 2ULL, 3ULL, 4ULL, 1021ULL, 123456789012ULL}) {
    for (const std::size_t bytes_per_pixel : {3U, 4U}) {
      const auto reading = read(marked({7, index}, bytes_per_pixel), bytes_per_pixel);
      EXPECT_TRUE(reading.is_whole()) << index;
      EXPECT_EQ(reading.mark, (FrameMark{7, index}));
    }
  }
}

TEST(FrameMark, DoesNotNeedTheAlphaWhichDoesNotTravel) {
  auto bytes = marked({0, 5});
  for (std::size_t i = 3; i < bytes.size(); i += 4)
    bytes[i] = 255;
  EXPECT_TRUE(read(bytes).is_whole());
}

TEST(FrameMark, FitsTheSmallestAndOddSizes) {
  for (const std::size_t pixels :
       {std::size_t{256}, std::size_t{1024} + 3, std::size_t{17} * 311}) {
    for (std::uint64_t index = 0; index < 600; ++index)
      ASSERT_TRUE(read(marked({0, index}, 3, pixels), 3).is_whole())
          << pixels << " pixels, frame " << index;
  }
}

// A stripe at any position has four cells or more (the protocol's have 21).
TEST(FrameMark, ShowsAnyStripeThatIsStillOfAnEarlierFrame) {
  constexpr std::size_t kStripeBytes = 4 * kCellPixels * 4;
  for (std::uint64_t index = 4; index < 12; ++index) {
    const auto before = marked({0, index - 4});
    for (std::size_t at = 0; at + kStripeBytes <= before.size(); at += kStripeBytes) {
      auto frame = marked({0, index});
      std::copy_n(before.begin() + static_cast<std::ptrdiff_t>(at), kStripeBytes,
                  frame.begin() + static_cast<std::ptrdiff_t>(at));
      ASSERT_FALSE(read(frame).is_whole()) << "frame " << index << ", byte " << at;
    }
  }
}

TEST(FrameMark, ShowsAStripeAtAnotherStripesPlace) {
  auto frame = marked({0, 9});
  constexpr std::ptrdiff_t kStripeBytes = 4 * 1024 * 4;
  std::copy_n(frame.begin() + 8 * kStripeBytes, kStripeBytes, frame.begin() + 20 * kStripeBytes);
  EXPECT_EQ(read(frame).cells_wrong, 1U);
}

TEST(FrameMark, ShowsEachDamagedByteOfTheFirstMark) {
  for (std::size_t byte = 0; byte < 18; ++byte) {
    auto frame = marked({3, 40}, 3);
    frame[byte] ^= 1U;
    EXPECT_FALSE(read(frame, 3).is_whole()) << byte;
  }
}

TEST(FrameMark, ReachesEveryPixelWithinSomeFrames) {
  constexpr std::size_t kSmall = 4 * kCellPixels;
  std::vector<bool> is_reached(kSmall);
  for (std::uint64_t index = 0; index < 4ULL * 1024; ++index) {
    std::vector<std::uint8_t> bytes(kSmall * 3, 0x55);
    const auto clean = bytes;
    write_marks({bytes, 3}, {0, index});
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] != clean[i]) is_reached[i / 3] = true;
    }
  }
  // The first cell's mark does not move, so that it can be found. The other three move.
  EXPECT_EQ(std::count(is_reached.begin() + kCellPixels, is_reached.end(), false), 0);
}

class Sequence : public ::testing::Test {
 protected:
  void take(std::uint64_t index) { check.take({FrameMark{0, index}, 0}); }
  SequenceCheck check{0, 100};
};

TEST_F(Sequence, IsFaultlessWhenAllComeInOrder) {
  for (std::uint64_t index = 0; index < 100; ++index)
    take(index);
  EXPECT_TRUE(check.faults(100).is_none());
}

TEST_F(Sequence, CountsWhatIsMissingAtTheEndToo) {
  for (const std::uint64_t index : {0U, 1U, 4U})
    take(index);
  EXPECT_EQ(check.faults(7), (FrameFaults{4, 0, 0, 0}));
}

TEST_F(Sequence, CountsDuplicates) {
  for (const std::uint64_t index : {0U, 1U, 1U, 0U, 2U})
    take(index);
  EXPECT_EQ(check.faults(3), (FrameFaults{0, 2, 0, 0}));
}

TEST_F(Sequence, CountsWhatComesAfterALaterOne) {
  for (const std::uint64_t index : {0U, 2U, 1U, 3U})
    take(index);
  EXPECT_EQ(check.faults(4), (FrameFaults{0, 0, 1, 0}));
}

TEST_F(Sequence, CountsADamagedFrameAsTornNotAsLost) {
  take(0);
  auto bytes = marked({0, 1});
  bytes[kCellPixels * 4 + 1] ^= 1U;
  check.take(read(bytes));
  take(2);
  EXPECT_EQ(check.faults(3), (FrameFaults{0, 0, 0, 1}));
}

TEST_F(Sequence, CountsAnotherStreamsFrameAsTorn) {
  check.take({FrameMark{1, 0}, 0});
  EXPECT_EQ(check.faults(1), (FrameFaults{0, 0, 0, 1}));
}

}  // namespace
}  // namespace submix::throughput
