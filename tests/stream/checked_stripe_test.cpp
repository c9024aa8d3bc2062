// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/checked_stripe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace submix::stream {
namespace {

wire::StripeHeader stripe_of(std::uint32_t pixels) {
  return {1, {0}, {}, 0, pixels, 0};
}

TEST(CheckedStripe, GathersWhatComesInPiecesOfAnyLength) {
  CheckedStripe stripe({64, 64}, PixelFormat::rgb24);
  std::vector<std::uint8_t> sent(std::size_t{1024} * 3);
  std::iota(sent.begin(), sent.end(), std::uint8_t{0});
  stripe.begin(stripe_of(1024));
  std::size_t done = 0;
  for (const std::size_t piece : {1U, 2U, 1000U, 2069U}) {
    ASSERT_FALSE(stripe.is_whole());
    ASSERT_EQ(stripe.room().size(), sent.size() - done);
    std::copy_n(sent.begin() + static_cast<std::ptrdiff_t>(done), piece, stripe.room().begin());
    stripe.advance(piece);
    done += piece;
  }
  EXPECT_TRUE(stripe.is_whole());
  EXPECT_TRUE(stripe.room().empty());
  EXPECT_EQ(std::vector(stripe.pixels().begin(), stripe.pixels().end()), sent);
}

TEST(CheckedStripe, HasNoRoomWhileNoneIsDue) {
  CheckedStripe stripe({64, 64}, PixelFormat::rgb24);
  EXPECT_TRUE(stripe.room().empty());
  EXPECT_FALSE(stripe.is_whole());
  stripe.begin(stripe_of(4));
  stripe.advance(12);
  stripe.end();
  EXPECT_TRUE(stripe.room().empty());
  EXPECT_FALSE(stripe.is_whole());
  stripe.begin(stripe_of(8));
  EXPECT_EQ(stripe.room().size(), 24U);
}

TEST(CheckedStripe, TakesTheLargestThatTheWireAllowsAndTheWholeOfASmallFrame) {
  CheckedStripe large({8192, 8192}, PixelFormat::rgb24);
  large.begin(stripe_of(wire::kStripePixelsMax));
  EXPECT_EQ(large.room().size(), std::size_t{wire::kStripePixelsMax} * 3);
  CheckedStripe with_alpha({8192, 8192}, PixelFormat::rgba);
  auto header = stripe_of(wire::kStripePixelsMax);
  header.format = PixelFormat::rgba;
  with_alpha.begin(header);
  EXPECT_EQ(with_alpha.room().size(), std::size_t{wire::kStripePixelsMax} * 4);
  CheckedStripe small({17, 16}, PixelFormat::rgb24);
  small.begin(stripe_of(17 * 16));
  EXPECT_EQ(small.room().size(), 17U * 16 * 3);
}

}  // namespace
}  // namespace submix::stream
