// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/cards/pairing.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace submix::link {
namespace {

using Paths = std::vector<std::string>;

Paths texts_of(const std::vector<LinkPath>& paths) {
  Paths texts;
  for (const auto& path : paths)
    texts.push_back(path.from + ">" + path.to.address);
  return texts;
}

Paths pair(const std::vector<std::string>& own, const std::vector<DataEndpoint>& receiver,
           std::size_t count, const std::vector<LinkRoute>& routes = {}) {
  std::vector<OwnAddress> addresses;
  for (const auto& address : own)
    addresses.push_back({address});
  return texts_of(pair_cards(addresses, receiver, {count, routes}));
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

const std::vector<DataEndpoint> kThreeCables{
    {"198.18.0.9", 24, 1}, {"198.18.1.9", 24, 1}, {"198.18.2.9", 24, 1}};

TEST(PairCards, TakesASpareCableWhileOneIsDown) {
  const std::vector<OwnAddress> own{{"198.18.0.1", false}, {"198.18.1.1"}, {"198.18.2.1"}};
  EXPECT_EQ(texts_of(pair_cards(own, kThreeCables, {2, {}})),
            (Paths{"198.18.1.1>198.18.1.9", "198.18.2.1>198.18.2.9"}));
  auto far = kThreeCables;
  far[1].is_up = false;
  EXPECT_EQ(texts_of(pair_cards(own, far, {2, {}})),
            (Paths{"198.18.2.1>198.18.2.9", "198.18.0.1>198.18.0.9"}));
}

TEST(PairCards, LeavesWhatRunsWhereItIsWhenACableComesBack) {
  const std::vector<OwnAddress> own{{"198.18.0.1"}, {"198.18.1.1"}, {"198.18.2.1"}};
  const std::vector<LinkPath> running{{"198.18.1.1", kThreeCables[1]},
                                      {"198.18.2.1", kThreeCables[2]}};
  EXPECT_EQ(texts_of(pair_cards(own, kThreeCables, {2, {}}, running)),
            (Paths{"198.18.1.1>198.18.1.9", "198.18.2.1>198.18.2.9"}));
}

TEST(PairCards, KeepsACableThatIsDownWhereThereIsNoSpareOne) {
  const std::vector<OwnAddress> own{{"198.18.0.1", false}, {"198.18.1.1"}};
  EXPECT_EQ(texts_of(pair_cards(own, std::span(kThreeCables).first(2), {2, {}})),
            (Paths{"198.18.0.1>198.18.0.9", "198.18.1.1>198.18.1.9"}));
}

// A letter for each path, '.' for a free index.
PathTable slots(const std::string& letters) {
  PathTable result;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    if (letters[i] != '.') result[i] = LinkPath{{letters[i]}, {"198.18.0.9", 24, 1}};
  }
  return result;
}

std::string placed(const std::string& current, const std::string& wanted) {
  std::vector<LinkPath> paths;
  for (const char letter : wanted)
    paths.push_back({{letter}, {"198.18.0.9", 24, 1, 1500}});
  std::string letters;
  for (const auto& slot : assign_slots(slots(current), paths))
    letters += slot ? slot->from : ".";
  return letters;
}

TEST(PlaceLinks, NumbersNewOnesInOrder) {
  EXPECT_EQ(placed("", "abc"), "abc.....");
}

TEST(PlaceLinks, LeavesTheOthersWhereTheyAreWhenOneLeaves) {
  EXPECT_EQ(placed("abc", "ac"), "a.c.....");
  EXPECT_EQ(placed("abc", "cba"), "abc.....");
}

TEST(PlaceLinks, GivesAFreePlaceToOneThatJoins) {
  EXPECT_EQ(placed("a.c", "acd"), "adc.....");
  EXPECT_EQ(placed("abc", "xyc"), "xyc.....");
}

TEST(PlaceLinks, CountsEachOfSeveralLinksOfOnePath) {
  EXPECT_EQ(placed("a", "aa"), "aa......");
  EXPECT_EQ(placed("aa", "a"), "a.......");
  EXPECT_EQ(placed("aba", "aa"), "a.a.....");
}

TEST(PlaceLinks, HoldsEightAtMost) {
  EXPECT_EQ(placed("a", "bcdefghij"), "bcdefghi");
}

TEST(PlaceLinks, TakesWhatIsNewOfTheFarEnd) {
  const auto after =
      assign_slots(slots("a"), std::vector<LinkPath>{{"a", {"198.18.0.9", 24, 1, 9000, false}}});
  EXPECT_EQ(after[0]->to.mtu_bytes, 9000);
  EXPECT_FALSE(after[0]->to.is_up);
}

TEST(PlaceLinks, TakesAnotherPortForAnotherPath) {
  const auto after = assign_slots(slots("a"), std::vector<LinkPath>{{"a", {"198.18.0.9", 24, 2}}});
  EXPECT_FALSE(is_same_path(*slots("a")[0], *after[0]));
}

TEST(PairCards, IsEmptyWithoutAReceiver) {
  EXPECT_EQ(pair({"127.0.0.1"}, {}, 2), Paths{});
}

}  // namespace
}  // namespace submix::link
