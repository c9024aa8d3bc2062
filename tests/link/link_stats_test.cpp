// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/link_stats.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>

namespace submix::link {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMegabyte = 1'000'000;

/// A link whose telemetry is read ten times a second, as in a node.
class LinkStatsTest : public ::testing::Test {
 protected:
  LinkStatsTest() {
    stats_.set_ends("198.18.0.2:40000", "198.18.0.1:7400");
    look();
  }
  /// For `seconds` the link carries `mb` megabytes a second.
  void carry(int seconds, std::uint64_t mb) {
    for (int i = 0; i < 10 * seconds; ++i) {
      stats_.bytes += mb * kMegabyte / 10;
      now_ += 100ms;
      look();
    }
  }
  /// The same; for the share `full` of each tenth of a second more bytes wait than the limit
  /// `limit_mb`.
  void carry_at_its_limit(int seconds, std::uint64_t mb, std::uint64_t limit_mb,
                          std::chrono::milliseconds full = 20ms) {
    for (int i = 0; i < 10 * seconds; ++i) {
      stats_.full_bytes += limit_mb * kMegabyte * static_cast<std::uint64_t>(full.count()) / 1000;
      stats_.full_ns += static_cast<std::uint64_t>(std::chrono::nanoseconds(full).count());
      stats_.bytes += mb * kMegabyte / 10;
      now_ += 100ms;
      look();
    }
  }
  void look() { reading_ = stats_.reading(now_); }
  [[nodiscard]] std::uint64_t limit_mb() const {
    return reading_.limit_bytes_per_second / kMegabyte;
  }
  [[nodiscard]] std::uint64_t greatest_mb() const {
    return reading_.greatest_bytes_per_second / kMegabyte;
  }

  LocalTime now_ = LocalTime(1h);
  LinkStats stats_{0, now_};
  telemetry::LinkReading reading_;
};

TEST_F(LinkStatsTest, RemembersTheGreatestRateOfASecond) {
  carry(3, 40);
  carry(5, 2);
  EXPECT_EQ(greatest_mb(), 40U);
}

TEST_F(LinkStatsTest, ForgetsTheGreatestRateOfAnotherPath) {
  carry(3, 40);
  stats_.set_ends("198.18.0.2:40001", "198.18.0.1:7400");
  look();
  EXPECT_EQ(greatest_mb(), 40U) << "another port is no other path";
  stats_.set_ends("198.18.1.2:40001", "198.18.1.1:7400");
  look();
  EXPECT_EQ(greatest_mb(), 0U);
}

TEST_F(LinkStatsTest, KnowsNoLimitOfALinkForWhichNothingHadToWait) {
  carry(5, 40);
  EXPECT_EQ(limit_mb(), 0U);
}

TEST_F(LinkStatsTest, KnowsWhatALinkCarriesWhileMoreWaits) {
  carry_at_its_limit(3, 40, 119);
  EXPECT_EQ(limit_mb(), 119U);
}

TEST_F(LinkStatsTest, SeesWithinASecondThatALinkHasBecomeMuchSlower) {
  carry_at_its_limit(3, 40, 119);
  carry_at_its_limit(1, 2, 2);
  EXPECT_EQ(limit_mb(), 2U);
}

TEST_F(LinkStatsTest, TakesNoSingleSecondForTheLimit) {
  carry_at_its_limit(3, 2, 4);
  carry_at_its_limit(1, 2, 8);
  EXPECT_LT(limit_mb(), 7U) << "a shaper lets a burst through";
}

TEST_F(LinkStatsTest, BelievesNoSampleOfAFewMilliseconds) {
  carry_at_its_limit(1, 40, 3, 0ms);
  stats_.full_bytes += 3000;
  stats_.full_ns += 1'000'000;
  carry(1, 40);
  EXPECT_EQ(limit_mb(), 0U);
}

TEST_F(LinkStatsTest, KeepsTheLimitOfALinkThatIsGivenLittle) {
  carry_at_its_limit(3, 2, 2);
  carry(4, 1);
  EXPECT_EQ(limit_mb(), 2U);
}

TEST_F(LinkStatsTest, KeepsTheLimitOfALinkThatReachesItBriefly) {
  carry_at_its_limit(3, 2, 2);
  for (int i = 0; i < 20; ++i) {
    stats_.full_bytes += 3 * 2 * kMegabyte / 1000;
    stats_.full_ns += 3'000'000;
    carry(1, 1);
    ASSERT_EQ(limit_mb(), 2U) << "second " << i;
  }
}

TEST_F(LinkStatsTest, KeepsTheLimitOfALinkThatIsGivenWhatItCanCarry) {
  carry_at_its_limit(3, 10, 10);
  carry(30, 8);
  EXPECT_EQ(limit_mb(), 10U);
  carry(10, 5);
  EXPECT_EQ(limit_mb(), 0U);
}

TEST_F(LinkStatsTest, ForgetsALimitThatWasNotSeenForLong) {
  carry_at_its_limit(3, 2, 2);
  carry(6, 1);
  EXPECT_EQ(limit_mb(), 0U);
}

TEST_F(LinkStatsTest, ForgetsALimitOnceTheLinkCarriesMore) {
  carry_at_its_limit(3, 2, 2);
  carry(2, 10);
  EXPECT_EQ(limit_mb(), 0U);
}

}  // namespace
}  // namespace submix::link
