// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/stream/share.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>

namespace submix::stream {
namespace {

using namespace std::chrono_literals;

TEST(FairShare, IsByRateWhereNothingIsQueued) {
  const std::array<LinkLoad, 2> links{LinkLoad{true, 100e6, 0, {}}, LinkLoad{true, 25e6, 0, {}}};
  EXPECT_NEAR(fair_share(links, 0, 1e6), 800e3, 1);
  EXPECT_NEAR(fair_share(links, 1, 1e6), 200e3, 1);
}

TEST(FairShare, CountsWhatALinkHasAlready) {
  const std::array<LinkLoad, 2> links{LinkLoad{true, 100e6, 300e3, {}},
                                      LinkLoad{true, 100e6, 0, {}}};
  EXPECT_NEAR(fair_share(links, 0, 1e6), 350e3, 1);
  EXPECT_NEAR(fair_share(links, 1, 1e6), 650e3, 1);
}

TEST(FairShare, IsNothingForALinkThatIsBusyForLongerThanTheOthersNeed) {
  const std::array<LinkLoad, 3> links{LinkLoad{true, 1e6, 500e3, {}}, LinkLoad{true, 100e6, 0, {}},
                                      LinkLoad{true, 100e6, 0, {}}};
  EXPECT_EQ(fair_share(links, 0, 1e6), 0);
  EXPECT_NEAR(fair_share(links, 1, 1e6), 500e3, 1);
}

TEST(FairShare, GivesALongWayLess) {
  const std::array<LinkLoad, 2> links{LinkLoad{true, 100e6, 0, 5ms}, LinkLoad{true, 100e6, 0, {}}};
  EXPECT_NEAR(fair_share(links, 1, 1e6) - fair_share(links, 0, 1e6), 500e3, 1);
}

TEST(FairShare, LeavesClosedLinksOut) {
  const std::array<LinkLoad, 2> links{LinkLoad{true, 100e6, 0, {}}, LinkLoad{false, 100e6, 0, {}}};
  EXPECT_NEAR(fair_share(links, 0, 1e6), 1e6, 1);
  EXPECT_EQ(fair_share(links, 1, 1e6), 0);
}

TEST(FairShare, TakesALinkThatWasNeverAtItsLimitForOneAsFastAsTheFastest) {
  const std::array<LinkLoad, 2> links{LinkLoad{true, 50e6, 0, {}, true},
                                      LinkLoad{true, 900e6, 0, {}, true}};
  EXPECT_EQ(planning_rate(links, 0), 900e6);
  EXPECT_NEAR(fair_share(links, 0, 1e6), 500e3, 1);
}

TEST(FairShare, TakesALinkOfUnknownRateForOneLikeTheOthers) {
  const std::array<LinkLoad, 2> links{LinkLoad{true, 50e6, 0, {}}, LinkLoad{true, 0, 0, {}}};
  EXPECT_EQ(planning_rate(links, 1), 50e6);
  EXPECT_NEAR(fair_share(links, 1, 1e6), 500e3, 1);
}

}  // namespace
}  // namespace submix::stream
