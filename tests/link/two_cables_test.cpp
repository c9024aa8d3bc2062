// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/link/data_plane.hpp"
#include "tests/link/stream_fixture.hpp"
#include "tests/support/network_namespaces.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace submix::link {
namespace {

constexpr wire::Key kCablesKey{1, 2, 3};

class TwoCables : public testing::StreamFixture {
 protected:
  void SetUp() override {
    if (!network.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
    start_on("left", left);
    start_on("mix", mix);
    ASSERT_TRUE(left && mix);
    receiver = open_receiver();
    sender = *left->open_sender({"main", kSize, kRate, kCredits, {.count = 2}});
    network.run_on("mix", [&] { sender->set_destination("mix", mix->endpoints()); });
  }
  void start_on(const std::string& host, std::unique_ptr<DataPlane>& plane) {
    network.run_on(host, [&] {
      auto started = DataPlane::start(
          {host, {network.address(host, 0), network.address(host, 1)}, 0, kCablesKey, &events});
      ASSERT_TRUE(started) << started.error().message;
      plane = std::move(*started);
    });
  }

  testing::NetworkNamespaces network{{"left", "mix"}};
  std::shared_ptr<StreamReceiver> receiver;
  std::shared_ptr<StreamSender> sender;
};

TEST_F(TwoCables, CarryAStreamTogetherTheFasterOneMore) {
  ASSERT_TRUE(network.shape("left", 0, 200));
  ASSERT_TRUE(network.shape("left", 1, 50));
  const auto producer = produce(sender, 0, 200);
  for (std::uint64_t index = 0; index < 200; ++index)
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  const auto links = sender->telemetry().links;
  EXPECT_GT(links[1].bytes, 0U);
  EXPECT_GT(links[0].bytes, links[1].bytes);
  EXPECT_EQ(links[0].reconnects + links[1].reconnects, 0U);
}

// The rate limiter queues on the path, so the slow link's sender hands over its bytes quickly and
// then idles.
TEST_F(TwoCables, TellWhatEachCarriesWhileMoreWaits) {
  ASSERT_TRUE(network.shape("left", 0, 200));
  ASSERT_TRUE(network.shape("left", 1, 20));
  const auto producer = produce(sender, 0, 10'000);
  std::vector<telemetry::LinkReading> links;
  std::uint64_t index = 0;
  EXPECT_TRUE(testing::eventually([&] {
    expect_frame(*receiver, index++);
    links = sender->telemetry().links;
    return links[0].limit_bytes_per_second > 0 && links[1].limit_bytes_per_second > 0;
  })) << events.all();
  EXPECT_GT(links[0].limit_bytes_per_second, 15'000'000U);
  EXPECT_LT(links[1].limit_bytes_per_second, 5'000'000U);
}

TEST_F(TwoCables, TakeOverFromEachOtherWhenOneIsPulled) {
  ASSERT_TRUE(network.shape("left", 0, 200));
  ASSERT_TRUE(network.shape("left", 1, 200));
  const auto producer = produce(sender, 0, 10'000);
  std::uint64_t index = 0;
  for (; index < 300; ++index) {
    if (index == 60 || index == 150) {
      ASSERT_TRUE(network.set_up(1, index == 150));
    }
    ASSERT_NO_FATAL_FAILURE(expect_frame(*receiver, index));
  }
  // A sender that missed the moment without a carrier learns from its next frames that the other
  // side has closed.
  EXPECT_TRUE(testing::eventually([&] {
    const auto links = sender->telemetry().links;
    if (links[1].reconnects >= 1 && links[1].state == telemetry::LinkState::open) return true;
    expect_frame(*receiver, index++);
    return false;
  })) << events.all();
  EXPECT_EQ(sender->telemetry().links[0].reconnects, 0U);
}

}  // namespace
}  // namespace submix::link
