// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/striper.hpp"

#include "tests/stream/test_frames.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

namespace submix::stream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr Size kStripedSize{64, 48};  // 3072 pixels: three cells
constexpr std::uint64_t kStripedEpoch = 7;

class StriperTest : public ::testing::Test {
 protected:
  StriperTest() {
    striper.open_link(0);
    striper.open_link(1);
  }
  wire::Welcome welcome(std::uint64_t instance, std::uint64_t next, std::uint64_t limit) {
    wire::Welcome message;
    message.instance = instance;
    message.next_frame.value = next;
    message.credit_limit.value = limit;
    return message;
  }
  void offer(std::uint64_t index) { striper.offer(*testing::pattern_frame(pool, index)); }
  std::optional<Stripe> pull(std::size_t link) { return striper.pull(link, LocalTime()); }
  /// Pulls for `link` while all of its bytes arrive at once, so that its share never ends.
  std::vector<std::uint32_t> pull_all(std::size_t link) {
    std::vector<std::uint32_t> offsets;
    while (auto stripe = pull(link)) {
      offsets.push_back(stripe->header.offset_pixels);
      striper.observe(link, LocalTime(), {0, 0});
    }
    return offsets;
  }

  media::FramePool pool{kStripedSize, 4};
  Striper striper{{kStripedSize, kStripedEpoch, 3, 1, 1}};
};

TEST_F(StriperTest, HasNoCreditBeforeAReceiverHasWelcomedIt) {
  EXPECT_FALSE(striper.has_credit());
  EXPECT_FALSE(pull(0));
}

TEST_F(StriperTest, CutsAFrameIntoStripesThatCoverItOnce) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  offer(0);
  EXPECT_EQ(pull(0)->header.offset_pixels, 0U);
  EXPECT_EQ(pull(1)->header.offset_pixels, 1024U);
  const auto last = pull(0)->header;
  EXPECT_EQ(last,
            (wire::StripeHeader{kStripedEpoch, {0}, std::chrono::nanoseconds(0), 2048, 1024}));
  EXPECT_FALSE(pull(1));
}

TEST_F(StriperTest, GivesWholeFramesOldestFirstToALinkThatCarriesNoBytes) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  offer(0);
  offer(1);
  EXPECT_EQ(striper.pull_whole(2)->header,
            (wire::StripeHeader{kStripedEpoch, {0}, std::chrono::nanoseconds(0), 0, 3072}));
  EXPECT_EQ(striper.pull_whole(2)->header.frame.value, 1U);
  EXPECT_FALSE(striper.pull_whole(2));
  EXPECT_FALSE(pull(0));
}

TEST_F(StriperTest, GivesAFrameAsAWholeThoughAnotherLinkHasBegunIt) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  offer(0);
  EXPECT_EQ(pull(0)->header.offset_pixels, 0U);
  EXPECT_EQ(striper.pull_whole(2)->header.pixels, 3072U);
  EXPECT_FALSE(pull(1));
}

TEST_F(StriperTest, GivesWholeFramesToTheOthersWhenTheirLinkIsLost) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  offer(0);
  EXPECT_TRUE(striper.pull_whole(2));
  striper.lose_link(2);
  EXPECT_EQ(pull(0)->header.offset_pixels, 0U);
}

TEST_F(StriperTest, CutsAShareEvenlyThatIsMoreThanAStripe) {
  media::FramePool larger_pool({64, 160}, 1);  // ten cells
  Striper larger{{{64, 160}, kStripedEpoch, 1, 1, 4}};
  larger.open_link(0);
  ASSERT_TRUE(larger.welcome(welcome(1, 0, 1)));
  larger.offer(*testing::pattern_frame(larger_pool, 0));
  std::vector<std::uint32_t> cells;
  while (const auto stripe = larger.pull(0, LocalTime()))
    cells.push_back(stripe->header.pixels / wire::kCellPixels);
  EXPECT_THAT(cells, ElementsAre(4, 3, 3));
}

TEST_F(StriperTest, CreditIsTheReceiversLimitAndItsOwnMemory) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 2)));
  EXPECT_EQ(striper.credits(), 2U);
  ASSERT_TRUE(striper.acknowledge({kStripedEpoch, {0}, {100}}));
  EXPECT_EQ(striper.credits(), 3U);
}

TEST_F(StriperTest, KeepsAFrameUntilItIsReleased) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  offer(1);
  pull_all(0);
  EXPECT_EQ(pool.seats_free(), 2U);
  ASSERT_TRUE(striper.acknowledge({kStripedEpoch, {1}, {4}}));
  EXPECT_EQ(pool.seats_free(), 3U);
  EXPECT_EQ(striper.first_retained().value, 1U);
}

TEST_F(StriperTest, LetsTheOldestFrameThatNoLinkHasBegunGiveWayToTheNewest) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  for (std::uint64_t index = 0; index < 3; ++index)
    offer(index);
  ASSERT_TRUE(pull(0));  // of frame 0
  EXPECT_EQ(striper.replace_oldest_unsent(*testing::pattern_frame(pool, 3)), FrameIndex{1});
  EXPECT_EQ(pool.seats_free(), 1U) << "frame 1 is gone";
  std::vector<std::uint64_t> numbers;
  while (const auto stripe = pull(1)) {
    striper.observe(1, LocalTime(), {0, 0});
    const auto picture = stripe->header.frame.value == 0 ? 0 : stripe->header.frame.value + 1;
    EXPECT_TRUE(testing::has_pattern(stripe->frame, picture)) << stripe->header.frame.value;
    EXPECT_EQ(stripe->header.pts, std::chrono::milliseconds(picture * 40));
    numbers.push_back(stripe->header.frame.value);
  }
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 0, 1, 1, 1, 2, 2, 2}))
      << "no number is left out";
}

TEST_F(StriperTest, NeverChangesAFrameThatALinkHasBegunNotEvenALostOne) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 1)));
  offer(0);
  const auto newer = *testing::pattern_frame(pool, 1);
  ASSERT_TRUE(pull(0));
  EXPECT_FALSE(striper.replace_oldest_unsent(newer));
  ASSERT_TRUE(striper.pull_whole(1));
  EXPECT_FALSE(striper.replace_oldest_unsent(newer));
  striper.lose_link(1);
  striper.lose_link(0);  // the receiver may have the stripes in flight
  EXPECT_FALSE(striper.replace_oldest_unsent(newer));
}

TEST_F(StriperTest, GivesWhatALostLinkHadToTheOthersOldestFirst) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  offer(1);
  ASSERT_TRUE(pull(0));
  ASSERT_TRUE(pull(1));
  ASSERT_TRUE(pull(0));
  striper.lose_link(0);
  const auto first = pull(1);
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
  EXPECT_EQ(pull_all(1), (std::vector<std::uint32_t>{0, 1024, 2048}))
      << "only frame 0 is within its credit";
  EXPECT_EQ(striper.credits(), 0U);
}

TEST_F(StriperTest, DoesNotRepeatItselfToTheSameReceiver) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  offer(0);
  pull_all(0);
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  EXPECT_FALSE(pull(1));
}

TEST_F(StriperTest, RefusesToBelieveThatAFrameWasReleasedBeforeItWasMade) {
  ASSERT_TRUE(striper.welcome(welcome(1, 0, 3)));
  const auto result = striper.acknowledge({kStripedEpoch, {5}, {8}});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("frame 5 is called released, but 0 is the next"));
  EXPECT_FALSE(striper.acknowledge({kStripedEpoch + 1, {0}, {3}}));
  EXPECT_FALSE(striper.welcome(welcome(2, 1, 3)));
}

using namespace std::chrono_literals;

/// Two links of known rates and frames of many cells.
class StriperPlan : public ::testing::Test {
 protected:
  static constexpr Size kLarge{1024, 768};  // 768 cells
  static constexpr std::uint64_t kCellBytes = 3 * wire::kCellPixels;

  StriperPlan() {
    wire::Welcome welcome;
    welcome.instance = 1;
    welcome.credit_limit.value = 100;
    EXPECT_TRUE(striper.welcome(welcome));
    for (std::size_t link = 0; link < 2; ++link)
      striper.open_link(link);
  }
  void offer(std::uint64_t index) {
    auto frame = pool.try_acquire();
    frame->stamp().index.value = index;
    striper.offer(std::move(*frame).publish());
  }
  /// Lets `link` carry its stripes one by one at `bytes_per_second` until its rate is known.
  void teach(std::size_t link, double bytes_per_second, std::uint64_t frame) {
    for (std::size_t other = 0; other < 2; ++other) {
      if (other != link) striper.lose_link(other);
    }
    offer(frame);
    std::uint64_t given = 0;
    std::uint64_t arrived = 0;
    while (true) {
      while (auto stripe = striper.pull(link, now))
        given += wire::kStripeHeaderBytes + stripe->header.pixels * 3;
      if (arrived == given) break;
      now += 1ms;
      arrived = std::min(given, arrived + static_cast<std::uint64_t>(bytes_per_second / 1000));
      striper.observe(link, now, {given - arrived, given - arrived});
    }
    ASSERT_TRUE(striper.acknowledge({kStripedEpoch, {frame + 1}, {100}}));
    striper.open_link(0);
    striper.open_link(1);
  }
  /// Link 0 has done its part. Nothing of link 1's part arrives.
  void stand_still(std::chrono::milliseconds time, std::uint64_t bytes_of_link_1) {
    for (const auto end = now + time; now < end; now += 1ms) {
      striper.observe(0, now, {0, 0});
      striper.observe(1, now, {bytes_of_link_1, bytes_of_link_1});
    }
  }
  std::uint64_t cells_of(std::size_t link) {
    std::uint64_t cells = 0;
    while (auto stripe = striper.pull(link, now))
      cells += stripe->header.pixels / wire::kCellPixels;
    return cells;
  }

  LocalTime now = LocalTime() + 1h;
  media::FramePool pool{kLarge, 4};
  Striper striper{{kLarge, kStripedEpoch, 4, 21, 85}};
};

TEST_F(StriperPlan, MeasuresWhatALinkCarries) {
  teach(0, 100e6, 0);
  EXPECT_NEAR(striper.bytes_per_second(0), 100e6, 3e6);
}

// A stripe takes half a millisecond of its link, within the limits. A frame's share may end
// earlier.
TEST_F(StriperPlan, CutsLongerStripesForAFasterLink) {
  teach(0, 300e6, 0);
  teach(1, 20e6, 1);
  offer(2);
  const auto fast = striper.pull(0, now);
  const auto slow = striper.pull(1, now);
  ASSERT_TRUE(fast && slow);
  EXPECT_NEAR(static_cast<double>(fast->header.pixels) * 3, 150e3, 15e3);
  EXPECT_LE(slow->header.pixels, 21 * wire::kCellPixels);
}

TEST_F(StriperPlan, IsNotMisledByPingsInTheQueue) {
  teach(0, 100e6, 0);
  offer(1);
  const auto given = cells_of(0) * (kCellBytes + 1);
  for (std::uint64_t ping = 0; ping < 20; ++ping, now += 1ms)
    striper.observe(0, now, {given + ping * 24, given});
  EXPECT_LT(striper.bytes_per_second(0), 100e6);
}

TEST_F(StriperPlan, GivesEachLinkItsShareOfAFrameByItsRate) {
  teach(0, 100e6, 0);
  teach(1, 10e6, 1);
  offer(2);
  // Nothing arrives meanwhile, so each link is asked until it has its share.
  const auto slow = cells_of(1);
  const auto fast = cells_of(0);
  EXPECT_EQ(slow + fast, 768U);
  EXPECT_NEAR(static_cast<double>(slow), 768.0 / 11, 6);
}

TEST_F(StriperPlan, GivesALinkOfUnknownRateAnEqualShare) {
  offer(0);
  const auto first = cells_of(0);
  const auto second = cells_of(1);
  EXPECT_EQ(first + second, 768U);
  EXPECT_NEAR(static_cast<double>(first), 384, 6);
}

TEST_F(StriperPlan, WantsNoFurtherFrameWhileOneWaitsForVeryFastLinks) {
  striper.lose_link(1);
  offer(0);
  const auto bytes = cells_of(0) * kCellBytes;
  striper.observe(0, now, {bytes, bytes});
  striper.observe(0, now += 1ms, {0, 0});
  ASSERT_GT(striper.bytes_per_second(0), 2e9);
  EXPECT_FALSE(striper.has_plenty());
  offer(1);
  EXPECT_TRUE(striper.has_plenty());
  ASSERT_EQ(cells_of(0), 768U);
  EXPECT_FALSE(striper.has_plenty()) << "all of it is on its way";
}

TEST_F(StriperPlan, WantsNoFurtherFrameWhileLinksHaveWorkForMoreThanAMoment) {
  teach(0, 100e6, 0);
  striper.lose_link(1);
  EXPECT_FALSE(striper.has_plenty()) << "nothing waits";
  offer(1);
  EXPECT_TRUE(striper.has_plenty()) << "the frame takes 23 ms";
  const auto bytes = cells_of(0) * kCellBytes;
  EXPECT_TRUE(striper.has_plenty()) << "all of it waits in the link";
  striper.observe(0, now += 1ms, {bytes / 2, bytes / 2});
  EXPECT_TRUE(striper.has_plenty());
  striper.observe(0, now += 1ms, {150'000, 150'000});
  EXPECT_FALSE(striper.has_plenty()) << "1.5 ms are left";
}

TEST_F(StriperPlan, WithoutALinkNothingIsPlenty) {
  striper.lose_link(0);
  striper.lose_link(1);
  offer(0);
  EXPECT_FALSE(striper.has_plenty());
}

TEST_F(StriperPlan, LetsASlowLinkWorkAheadOnALaterFrame) {
  teach(0, 100e6, 0);
  teach(1, 5e6, 1);
  offer(2);
  EXPECT_GT(cells_of(1), 0U);
  ASSERT_FALSE(striper.pull(1, now)) << "the rest of frame 2 is the fast link's";
  offer(3);
  const auto ahead = striper.pull(1, now);
  ASSERT_TRUE(ahead);
  EXPECT_EQ(ahead->header.frame.value, 3U);
}

TEST_F(StriperPlan, CommitsNoMoreToALinkThanItCarriesInAShortTime) {
  teach(0, 10e6, 0);
  striper.lose_link(1);
  offer(1);
  offer(2);
  EXPECT_LE(cells_of(0) * kCellBytes, 10e6 * 0.030 + 21 * kCellBytes);
}

TEST_F(StriperPlan, MeasuresALinkAgainWithCopiesThatHoldNoFrame) {
  teach(0, 100e6, 0);
  teach(1, 50e6, 1);
  now += 1s;  // long since link 1 was at its limit
  offer(2);
  const auto cells = cells_of(0) + cells_of(1);
  EXPECT_GT(static_cast<double>((cells - 768) * kCellBytes), 50e6 * 5e-3);
  EXPECT_EQ(striper.stripes_taken_over(), 0U);
}

TEST_F(StriperPlan, CopiesNothingWhileAFrameWaitsForItsReceiver) {
  teach(0, 100e6, 0);
  teach(1, 50e6, 1);
  offer(2);
  EXPECT_EQ(cells_of(0) + cells_of(1), 768U);
  striper.observe(0, now, {0, 0});
  striper.observe(1, now, {0, 0});
  now += 1s;
  EXPECT_EQ(cells_of(0) + cells_of(1), 0U);
}

TEST_F(StriperPlan, CopiesNothingForTheFastestLink) {
  teach(0, 100e6, 0);
  teach(1, 50e6, 1);
  now += 1s;
  offer(2);
  EXPECT_LT(cells_of(0), 768U);
}

TEST_F(StriperPlan, LetsAnIdleLinkTakeOverWhatAnotherIsLateWith) {
  teach(0, 100e6, 0);
  teach(1, 100e6, 1);
  offer(2);
  const auto first = cells_of(0);
  const auto second = cells_of(1);
  ASSERT_EQ(first + second, 768U);
  stand_still(200ms, second * (kCellBytes + 1));
  std::uint64_t taken_over = 0;
  while (auto stripe = striper.pull(0, now)) {
    EXPECT_EQ(stripe->header.frame.value, 2U);
    taken_over += stripe->header.pixels / wire::kCellPixels;
    now += 1ms;
    striper.observe(0, now, {0, 0});
  }
  EXPECT_EQ(taken_over, second);
  EXPECT_GT(striper.stripes_taken_over(), 0U);
}

TEST_F(StriperPlan, TakesNothingOverWhenAllLinksStandStill) {
  teach(0, 100e6, 0);
  teach(1, 100e6, 1);
  offer(2);
  const auto first = cells_of(0) * (kCellBytes + 1);
  const auto second = cells_of(1) * (kCellBytes + 1);
  for (const auto end = now + 200ms; now < end; now += 1ms) {
    striper.observe(0, now, {first, first});
    striper.observe(1, now, {second, second});
  }
  EXPECT_EQ(cells_of(0) + cells_of(1), 0U);
}

TEST_F(StriperPlan, TakesNothingOverWhenThisComputerWasHeldUp) {
  teach(0, 100e6, 0);
  teach(1, 100e6, 1);
  offer(2);
  const auto first = cells_of(0);
  const auto second = cells_of(1) * (kCellBytes + 1);
  ASSERT_GT(first, 0U);
  now += 200ms;
  striper.observe(1, now, {second, second});
  striper.observe(0, now, {0, 0});
  EXPECT_FALSE(striper.pull(0, now));
}

}  // namespace
}  // namespace submix::stream
