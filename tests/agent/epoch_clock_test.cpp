// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/epoch_clock.hpp"

#include "common/wire/epoch.hpp"

#include <gtest/gtest.h>

#include <set>

namespace submix::agent {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kNow = 1'800'000'000'000'000'000;  // in 2027

EpochClock::WallClock at(std::chrono::nanoseconds time) {
  return [time] { return time; };
}

TEST(EpochClock, FollowsTheTimeOfDay) {
  EpochClock epochs(at(std::chrono::nanoseconds(kNow)));
  EXPECT_EQ(epochs.next(), kNow);
}

TEST(EpochClock, GoesOnWhereTheTimeOfDayStandsStillOrGoesBack) {
  auto time = std::chrono::nanoseconds(kNow);
  EpochClock epochs([&time] { return time; });
  const auto first = epochs.next();
  const auto second = epochs.next();
  time -= 1h;
  EXPECT_LT(first, second);
  EXPECT_LT(second, epochs.next());
}

TEST(EpochClock, IsAheadOfAllThatItHasHeardAndMet) {
  for (const auto time :
       {std::chrono::nanoseconds(kNow) - 60s, 30s + 0ns, std::chrono::nanoseconds(-1)}) {
    EpochClock epochs(at(time));
    epochs.hear(kNow);
    epochs.hear(7);
    EXPECT_GT(epochs.next(), kNow) << time.count();
    epochs.meet(kNow + 1'000'000'000);
    epochs.meet(7);
    EXPECT_GT(epochs.next(), kNow + 1'000'000'000) << time.count();
  }
}

TEST(EpochClock, GivesNoTwoLivesTheSameThoughTheirNodesAreBehindAlikeAndHeardTheSame) {
  std::set<std::uint64_t> given;
  for (int node = 0; node < 3; ++node) {
    EpochClock epochs(at(0s));
    epochs.hear(kNow);
    given.insert(epochs.next());
  }
  EXPECT_EQ(given.size(), 3U);
}

TEST(EpochClock, IsHardlyAheadOfWhatItHasHeard) {
  EpochClock epochs(at(0s));
  epochs.hear(kNow);
  EXPECT_LT(epochs.next(), kNow + 20'000'000U);
}

TEST(EpochClock, TellsWhatWasGivenOrMetHereButNotWhatWasHeard) {
  EpochClock epochs(at(100ns));
  EXPECT_EQ(epochs.to_be_told(), 0U);
  epochs.hear(kNow);
  EXPECT_EQ(epochs.to_be_told(), 0U);
  epochs.meet(12);
  EXPECT_EQ(epochs.to_be_told(), 12U);
  const auto given = epochs.next();
  EXPECT_EQ(epochs.to_be_told(), given);
}

TEST(EpochClock, DoesNotBelieveWhatNoSenderMayHave) {
  EpochClock epochs(at(std::chrono::nanoseconds(kNow)));
  epochs.hear(wire::kEpochMax + 1);
  epochs.hear(~std::uint64_t{0});
  EXPECT_EQ(epochs.next(), kNow);
}

constexpr std::uint64_t kTenYears = 10ULL * 365 * 24 * 3600 * 1'000'000'000;

TEST(EpochClock, BelievesNothingFarAheadOfItsOwnTime) {
  for (const auto absurd : {kNow + kTenYears + 1, wire::kEpochMax, std::uint64_t{1} << 63}) {
    EpochClock epochs(at(std::chrono::nanoseconds(kNow)));
    EXPECT_FALSE(epochs.is_believable(absurd)) << absurd;
    epochs.hear(absurd);
    epochs.meet(absurd);
    EXPECT_EQ(epochs.to_be_told(), 0U) << absurd;
    EXPECT_EQ(epochs.next(), kNow) << absurd;
  }
}

TEST(EpochClock, WithoutATimeOfDayBelievesWhatNodesThatHaveOneTell) {
  EpochClock epochs(at(30s));
  EXPECT_TRUE(epochs.is_believable(kNow));
  EXPECT_FALSE(epochs.is_believable(std::uint64_t{1} << 63));
}

TEST(EpochClock, GivesEachOfManyLivesAGreaterOneThatOthersBelieveThoughItHeardTheGreatestPossible) {
  auto time = std::chrono::nanoseconds(kNow);
  const auto most = kNow + kTenYears;
  std::uint64_t former = 0;
  for (int restart = 0; restart < 20; ++restart) {
    EpochClock epochs([&time] { return time; });
    epochs.hear(most);
    epochs.hear(former);
    const auto given = epochs.next();
    EXPECT_LT(former, given);
    EXPECT_TRUE(epochs.is_believable(given));
    former = given;
    time += 1s;
  }
}

TEST(EpochClock, GivesTwoLivesAtTheLimitNotTheSame) {
  EpochClock epochs(at(std::chrono::nanoseconds(kNow)));
  epochs.hear(kNow + kTenYears);
  const auto first = epochs.next();
  EXPECT_LT(first, epochs.next());
}

TEST(EpochClock, GivesNothingThatNoSenderMayHave) {
  EpochClock epochs(at(std::chrono::nanoseconds::max()));
  EXPECT_EQ(epochs.next(), wire::kEpochMax);
  EXPECT_EQ(epochs.next(), wire::kEpochMax);
}

}  // namespace
}  // namespace submix::agent
