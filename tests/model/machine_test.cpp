// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/cluster_model.hpp"
#include "tests/model/readings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

/// Figures of the nodes' machines in the view: cores, memory and cards; and TCP's troubles on
/// links.
namespace submix::model {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();

class MachineTest : public ::testing::Test {
 protected:
  MachineTest() {
    model_.set_connection(ConnectionState::connected, "nats", now_);
    model_.set_show(std::make_shared<const show::Show>(sample::show()), 1, "test");
    model_.accept(sample::report("rack1"), now_);
  }
  void accept(telemetry::NodeReading reading) {
    now_ += 100ms;
    model_.accept(std::move(reading), now_);
    model_.advance(now_);
  }
  void play(std::uint64_t first, std::uint64_t last) {
    for (auto tenth = first; tenth <= last; ++tenth)
      accept(sample::sender(tenth));
  }
  [[nodiscard]] NodeView node() const { return *model_.view(now_).find_node("rack1"); }
  [[nodiscard]] std::vector<LinkView> links() const {
    return model_.view(now_).streams.at(0).sender.links;
  }

  LocalTime now_ = LocalTime(1h);
  ClusterModel model_;
};

TEST_F(MachineTest, HasTheShareOfEachCore) {
  play(1, 20);
  const auto shares = node().core_shares;
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NEAR(shares[0], 0.25, 1e-6);
  EXPECT_NEAR(shares[1], 1, 1e-6);
  EXPECT_NEAR(node().busiest_core_share(), 1, 1e-6);
}

TEST_F(MachineTest, HasNoCoreSharesBeforeTwoReadings) {
  play(1, 1);
  EXPECT_TRUE(node().core_shares.empty());
  EXPECT_EQ(node().busiest_core_share(), 0);
}

TEST_F(MachineTest, HasTheMemoryOfTheMachine) {
  play(1, 1);
  EXPECT_EQ(node().machine_memory_bytes, 16'000'000'000U);
  EXPECT_EQ(node().machine_memory_available_bytes, 4'000'000'000U);
}

TEST_F(MachineTest, HasEachCardOnceWithAllOfItsAddresses) {
  play(1, 20);
  const auto cards = node().cards;
  ASSERT_EQ(cards.size(), 2U);
  EXPECT_EQ(cards[0].name, "lo");
  EXPECT_EQ(cards[1].name, "enp1s0");
  EXPECT_EQ(cards[1].addresses, (std::vector<std::string>{"198.18.0.1", "fd00::1"}));
  EXPECT_EQ(cards[1].mtu_bytes, 1500);
  EXPECT_EQ(cards[1].speed_mbit, 1000);
  EXPECT_TRUE(cards[1].is_up);
}

TEST_F(MachineTest, HasTheLiveRateOfACardAndItsShareOfTheSpeed) {
  play(1, 20);
  const auto card = node().cards.at(1);
  EXPECT_NEAR(card.received_mb_per_second, 1, 1e-6);
  EXPECT_NEAR(card.sent_mb_per_second, 70, 1e-6);
  ASSERT_TRUE(card.share());
  EXPECT_NEAR(*card.share(), 0.56, 1e-6);
  EXPECT_FALSE(node().cards.at(0).share()) << "loopback does not say how fast it is";
}

TEST_F(MachineTest, TellsWhatTcpSaysOfALinkAndItsShareOfTheStream) {
  play(1, 20);
  const auto link = links().at(0);
  EXPECT_EQ(link.round_trip, 300us);
  EXPECT_EQ(link.segments_retransmitted, 20U);
  EXPECT_EQ(link.bytes_retransmitted, 20U * 1448);
  EXPECT_NEAR(link.retransmits_per_second, 10, 1e-6);
  EXPECT_NEAR(link.share, 0.5, 1e-6);
}

TEST_F(MachineTest, SharesNothingOutWhileNothingFlows) {
  play(1, 20);
  for (std::uint64_t tenth = 21; tenth <= 31; ++tenth) {
    auto reading = sample::sender(20);
    reading.sequence = tenth;
    reading.uptime = 100ms * static_cast<std::int64_t>(tenth);
    accept(reading);
  }
  EXPECT_EQ(links().at(0).share, 0);
  EXPECT_EQ(links().at(0).retransmits_per_second, 0);
  EXPECT_EQ(node().cards.at(1).sent_mb_per_second, 0);
  EXPECT_EQ(node().core_shares, (std::vector<double>{0, 0}));
}

TEST_F(MachineTest, TakesTotalsThatRunBackwardsForNothing) {
  play(1, 20);
  auto back = sample::sender(21);
  back.machine.cores_busy = {-5h, 0s};
  back.machine.cards[0] = {"enp1s0", 3, 4};
  back.machine.memory_available_bytes = kHuge;
  back.streams[0].links[0].segments_retransmitted = 0;
  back.streams[0].links[0].round_trip = -3s;
  accept(back);
  EXPECT_EQ(node().core_shares, (std::vector<double>{0, 0}));
  EXPECT_EQ(node().cards.at(1).sent_mb_per_second, 0);
  EXPECT_EQ(node().machine_memory_available_bytes, node().machine_memory_bytes);
  EXPECT_EQ(links().at(0).retransmits_per_second, 0);
  EXPECT_EQ(links().at(0).round_trip, 0ns);
}

TEST_F(MachineTest, StaysFiniteWhateverTheTotals) {
  play(1, 2);
  auto huge = sample::sender(3);
  huge.machine.cores_busy.assign(10'000, std::chrono::nanoseconds::max());
  huge.machine.cards = {{"enp1s0", kHuge, kHuge}, {"", kHuge, kHuge}, {"enp1s0", 0, 0}};
  for (auto& link : huge.streams[0].links) {
    link.bytes = link.segments_retransmitted = link.bytes_retransmitted = kHuge;
    link.round_trip = std::chrono::nanoseconds::max();
  }
  accept(huge);
  EXPECT_EQ(node().core_shares, (std::vector<double>{1, 1}))
      << "what was not there before has no rate";
  const auto card = node().cards.at(1);
  EXPECT_TRUE(std::isfinite(card.sent_mb_per_second));
  EXPECT_EQ(card.share(), 1);
  EXPECT_TRUE(std::isfinite(links().at(0).retransmits_per_second));
  EXPECT_NEAR(links().at(0).share + links().at(1).share, 1, 1e-6);
}

TEST_F(MachineTest, ShowsTenThousandCores) {
  for (std::uint64_t tenth = 1; tenth <= 12; ++tenth) {
    auto many = sample::sender(tenth);
    many.machine.cores_busy.assign(10'000, 50ms * static_cast<std::int64_t>(tenth));
    accept(many);
  }
  ASSERT_EQ(node().core_shares.size(), 10'000U);
  EXPECT_NEAR(node().core_shares.back(), 0.5, 1e-6);
}

TEST_F(MachineTest, LeavesOutCardsWithoutANameAndSpeedsThatCannotBe) {
  auto report = sample::report("rack1");
  report.interfaces = {
      {"", "198.18.0.7", 24, 1500, 1000, true, 0},
      {"enp9s0", "198.18.0.9", 24, -1, -1000, true, std::numeric_limits<int>::min()}};
  model_.accept(report, now_);
  play(1, 20);
  const auto cards = node().cards;
  ASSERT_EQ(cards.size(), 1U);
  EXPECT_EQ(cards[0].name, "enp9s0");
  EXPECT_EQ(cards[0].mtu_bytes, 0);
  EXPECT_FALSE(cards[0].share());
}

TEST_F(MachineTest, ShowsCardsBeforeAnyTelemetryHasCome) {
  const auto cards = node().cards;
  ASSERT_EQ(cards.size(), 2U);
  EXPECT_EQ(cards[1].sent_mb_per_second, 0);
}

}  // namespace
}  // namespace submix::model
