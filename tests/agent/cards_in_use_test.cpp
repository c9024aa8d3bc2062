// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/cards_in_use.hpp"

#include "common/cluster/codec.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace submix::agent {
namespace {

// Like the cards of a host of containers: the card in use is the last.
std::vector<NetworkInterface> bridges_and_a_card(std::size_t bridges) {
  std::vector<NetworkInterface> cards{{"lo", "127.0.0.1", 8, 65536, 0, true, 0}};
  for (std::size_t i = 0; i < bridges; ++i)
    cards.push_back({fmt::format("br{}", i), fmt::format("172.{}.{}.1", i / 250, i % 250), 24, 1500,
                     0, true, 0});
  cards.push_back({"enp1s0", "10.0.0.1", 24, 9000, 10000, true, 10000});
  return cards;
}

bool has(const std::vector<NetworkInterface>& cards, const std::string& name) {
  return std::ranges::any_of(cards, [&](const auto& card) { return card.name == name; });
}

TEST(CardsInUse, AreThoseOfTheStreamsLinks) {
  telemetry::StreamReading stream;
  for (const auto* local :
       {"198.18.0.1:40000", "198.18.1.1", "[fd00::1]:40000", "fd00::2", "shared memory", ""})
    stream.links.emplace_back().local = local;
  EXPECT_EQ(addresses_in_use(std::vector{stream}),
            (std::set<std::string>{"198.18.0.1", "198.18.1.1", "fd00::1", "fd00::2",
                                   "shared memory", ""}));
}

TEST(CardsInUse, StayInAReportThatCanBeReadThoughThereAreMoreThanItMayHave) {
  cluster::NodeReport report;
  report.node = "left";
  report.interfaces = bridges_and_a_card(300);
  ASSERT_FALSE(cluster::decode<cluster::NodeReport>(encode(report))) << "it would be dropped whole";
  keep_most_used(report.interfaces, {"10.0.0.1"});
  EXPECT_TRUE(has(report.interfaces, "lo"));
  EXPECT_TRUE(has(report.interfaces, "enp1s0"));
  EXPECT_TRUE(cluster::decode<cluster::NodeReport>(encode(report)));
}

TEST(CardsInUse, AreFollowedByThoseThatAreUp) {
  auto cards = bridges_and_a_card(300);
  for (auto& card : cards)
    card.is_up = card.name == "enp1s0";
  keep_most_used(cards, {});
  EXPECT_TRUE(has(cards, "enp1s0"));
  EXPECT_EQ(cards.size(), cluster::kCardsMax);
}

TEST(CardsInUse, LeaveAShortListInItsOrder) {
  auto cards = bridges_and_a_card(20);
  const auto before = cards;
  keep_most_used(cards, {"10.0.0.1"});
  EXPECT_EQ(cards, before);
}

}  // namespace
}  // namespace submix::agent
