// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/pairing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::link {
namespace {

using Paths = std::vector<std::string>;

Paths pair(const std::vector<std::string>& own, const std::vector<DataEndpoint>& receiver, std::size_t count,
           const std::vector<Route>& routes = {}) {
  Paths texts;
  for (const auto& path : pair_cards(own, receiver, count, routes))
    texts.push_back(path.from + ">" + path.to.address);
  return texts;
}

TEST(PairCards, JoinsTheTwoLoopbackAddressesOneToOne) {
  EXPECT_EQ(pair({"127.0.0.1", "127.0.0.2"}, {{"127.0.0.1", 8, 1}, {"127.0.0.2", 8, 1}}, 2),
            (Paths{"127.0.0.1>127.0.0.1", "127.0.0.2>127.0.0.2"}));
}

TEST(PairCards, JoinsCardsOfTheSameSubnet) {
  EXPECT_EQ(pair({"198.18.0.1", "198.18.1.1"}, {{"198.18.1.9", 24, 1}, {"198.18.0.9", 24, 1}}, 2),
            (Paths{"198.18.1.1>198.18.1.9", "198.18.0.1>198.18.0.9"}));
}

TEST(PairCards, LeavesTheCardOfALaterSubnetAlone) {
  EXPECT_EQ(pair({"198.18.0.1", "198.18.1.1"}, {{"198.19.9.9", 24, 1}, {"198.18.0.9", 24, 1}}, 2),
            (Paths{"198.18.1.1>198.19.9.9", "198.18.0.1>198.18.0.9"}));
}

TEST(PairCards, GoesRoundWhenThereAreMoreLinksThanPairs) {
  EXPECT_EQ(pair({"198.18.0.1"}, {{"198.18.0.9", 24, 1}, {"198.18.1.9", 24, 1}}, 3),
            (Paths{"198.18.0.1>198.18.0.9", "198.18.0.1>198.18.0.9", "198.18.0.1>198.18.0.9"}));
}

TEST(PairCards, NeverMixesFamiliesNorLoopbackWithOthers) {
  EXPECT_EQ(pair({"127.0.0.1", "fd00::1"}, {{"198.18.0.9", 24, 1}}, 2), Paths{});
  EXPECT_EQ(pair({"127.0.0.1", "fd00::1"}, {{"fd00::9", 64, 1}}, 1), (Paths{"fd00::1>fd00::9"}));
}

TEST(PairCards, FollowsRoutesThatTheReceiverCanTake) {
  EXPECT_EQ(pair({"198.18.0.1"}, {{"198.18.0.9", 24, 1}}, 1,
                 {{"198.18.7.7", "198.18.0.9"}, {"198.18.0.1", "198.18.0.8"}}),
            (Paths{"198.18.7.7>198.18.0.9"}));
}

TEST(PairCards, IsEmptyWithoutAReceiver) {
  EXPECT_EQ(pair({"127.0.0.1"}, {}, 2), Paths{});
}

}  // namespace
}  // namespace submix::link
