// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/striper.hpp"

#include "tests/stream/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace submix::stream {
namespace {

using ::testing::HasSubstr;

constexpr Size kSize{64, 48};  // 3072 pixels: three cells
constexpr std::uint64_t kEpoch = 7;

class StriperTest : public ::testing::Test {
 protected:
  wire::Welcome welcome(std::uint64_t instance, std::uint64_t next, std::uint64_t limit) {
    wire::Welcome message;
    message.instance = instance;
    message.next_frame.value = next;
    message.credit_limit.value = limit;
    return message;
  }
  void offer(std::uint64_t index) { striper.offer(*testing::pattern_frame(pool, index)); }
  std::vector<std::uint32_t> pull_all(std::size_t link) {
    std::vector<std::uint32_t> offsets;
    while (auto stripe = striper.pull(link))
      offsets.push_back(stripe->header.offset_pixels);
    return offsets;
  }

  media::FramePool pool{kSize, 4};
  Striper striper{{kSize, kEpoch, 3, 2, wire::kCellPixels}};
};

TEST_F(StriperTest, HasNoCreditBeforeAReceiverHasWelcomedIt) {
  EXPECT_FALSE(striper.has_credit());
  EXPECT_FALSE(striper.pull(0));
}

TEST_F(StriperTest, CutsAFrameIntoStripesThatCoverItOnce) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  offer(0);
  EXPECT_EQ(striper.pull(0)->header.offset_pixels, 0U);
  EXPECT_EQ(striper.pull(1)->header.offset_pixels, 1024U);
  const auto last = striper.pull(0)->header;
  EXPECT_EQ(last, (wire::StripeHeader{kEpoch, {0}, std::chrono::nanoseconds(0), 2048, 1024}));
  EXPECT_FALSE(striper.pull(1));
}

TEST_F(StriperTest, CreditIsTheReceiversLimitAndItsOwnMemory) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  EXPECT_EQ(striper.credits(), 2U);
  ASSERT_TRUE(striper.acknowledge({kEpoch, {0}, {100}}));
  EXPECT_EQ(striper.credits(), 3U);
}

TEST_F(StriperTest, KeepsAFrameUntilItIsReleased) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  offer(1);
  pull_all(0);
  EXPECT_EQ(pool.seats_free(), 2U);
  ASSERT_TRUE(striper.acknowledge({kEpoch, {1}, {4}}));
  EXPECT_EQ(pool.seats_free(), 3U);
  EXPECT_EQ(striper.first_retained().value, 1U);
}

TEST_F(StriperTest, GivesWhatALostLinkHadToTheOthersOldestFirst) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  offer(1);
  ASSERT_TRUE(striper.pull(0));
  ASSERT_TRUE(striper.pull(1));
  ASSERT_TRUE(striper.pull(0));
  striper.lose_link(0);
  const auto first = striper.pull(1);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->header.frame.value, 0U);
  EXPECT_EQ(first->header.offset_pixels, 0U);
  EXPECT_EQ(pull_all(1), (std::vector<std::uint32_t>{2048, 0, 1024, 2048}));
}

TEST_F(StriperTest, SendsAllRetainedFramesAgainToAnotherReceiver) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  offer(1);
  pull_all(0);
  ASSERT_TRUE(striper.welcome(welcome(2, 0, 1)));
  EXPECT_EQ(pull_all(1), (std::vector<std::uint32_t>{0, 1024, 2048})) << "only frame 0 is within its credit";
  EXPECT_EQ(striper.credits(), 0U);
}

TEST_F(StriperTest, DoesNotRepeatItselfToTheSameReceiver) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  pull_all(0);
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  EXPECT_FALSE(striper.pull(1));
}

TEST_F(StriperTest, RefusesToBelieveThatAFrameWasReleasedBeforeItWasMade) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  const auto result = striper.acknowledge({kEpoch, {5}, {8}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("frame 5 is called released, but 0 is the next"));
  EXPECT_FALSE(striper.acknowledge({kEpoch + 1, {0}, {3}}));
  EXPECT_FALSE(striper.welcome(welcome(2, 1, 3)));
}

}  // namespace
}  // namespace submix::stream
