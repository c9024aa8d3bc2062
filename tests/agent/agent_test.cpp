// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/agent.hpp"

#include "common/cluster/cluster.hpp"
#include "common/cluster/nats_server.hpp"
#include "tests/cluster/mailbox.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace submix::agent {
namespace {

using ::testing::HasSubstr;

TEST(Agent, IsRefusedTheNameOfANodeThatRuns) {
  const testing::TemporaryFolder folder;
  const auto server = cluster::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const NodeOptions options{"left", server->url(), {"127.0.0.1"}, 0, folder / "media", folder / "recordings"};
  auto first = Agent::start(options);
  ASSERT_TRUE(first) << first.error().message;
  auto second = Agent::start(options);
  while (second) {  // the first has not subscribed yet; bounded by ctest
    second = Agent::start(options);
  }
  EXPECT_THAT(second.error().message, HasSubstr("\"left\""));
  EXPECT_THAT(second.error().message, HasSubstr("--name"));
  first->reset();
  EXPECT_TRUE(Agent::start(options));
}

/// The report of a node with a card of its own, once it has one.
void expect_speeds_in_the_report(const std::string& address) {
  const testing::TemporaryFolder folder;
  const auto key = cluster::ShowKey::random();
  const auto server = cluster::NatsServer::start({.folder = folder / "nats", .key = key});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test", .key = key});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::Mailbox<cluster::NodeReport> reports;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  const auto agent = Agent::start(
      {"left", server->url(), {address}, 0, folder / "media", folder / "recordings", key, false});
  ASSERT_TRUE(agent) << agent.error().message;
  const auto report = reports.next_that([](const auto& each) { return !each.endpoints.empty(); });
  ASSERT_TRUE(report);
  EXPECT_EQ(report->endpoints[0].address, address);
  EXPECT_EQ(report->endpoints[0].speed_mbit, 10000) << "as every veth says";
}

TEST(Agent, ReportsTheSpeedOfTheCardsThatItTakesStreamsAt) {
  const testing::NetworkNamespaces network({"left", "right"}, {.cables = 1});
  if (!network.is_ready()) GTEST_SKIP() << testing::NetworkNamespaces::kNeeds;
  network.run_on("left", [&] { expect_speeds_in_the_report(network.address("left", 0)); });
}

}  // namespace
}  // namespace submix::agent
