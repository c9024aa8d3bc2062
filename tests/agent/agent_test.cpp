// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/agent/agent.hpp"

#include "common/base/version.hpp"
#include "common/cluster/cluster.hpp"
#include "common/cluster/identity.hpp"
#include "common/cluster/membership.hpp"
#include "common/link/data_plane.hpp"
#include "common/show/parse.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/cluster/mailbox.hpp"
#include "tests/support/eventually.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace submix::agent {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

NodeOptions options_of(const std::string& nats_url, const std::string& address,
                       const testing::TemporaryFolder& folder) {
  NodeOptions options;
  options.name = "left";
  options.nats_url = nats_url;
  options.data_addresses = {address};
  options.media_folder = folder / "media";
  options.recordings_folder = folder / "recordings";
  options.traces_folder = folder / "traces";
  return options;
}

/// A show of the node "left", which runs this submix alone.
cluster::DesiredShow show_with(const std::string& submix) {
  show::Show show;
  show.name = "lives";
  show.nodes = {{"left", ""}};
  show.submixes = {{submix, "left", {{"p", "pattern", {}, {}, false}}}};
  return {show::to_toml(show), "test"};
}

TEST(Agent, IsRefusedTheNameOfANodeThatRuns) {
  const testing::TemporaryFolder folder;
  const auto server = local::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const auto options = options_of(server->url(), "127.0.0.1", folder);
  auto first = Agent::start(options);
  ASSERT_TRUE(first) << first.error().message;
  auto second = Agent::start(options);
  while (second) {  // the first node may not have subscribed yet; bounded by ctest
    second = Agent::start(options);
  }
  EXPECT_THAT(why(second), HasSubstr("\"left\""));
  EXPECT_THAT(why(second), HasSubstr("--name"));
  first->reset();
  EXPECT_TRUE(Agent::start(options));
}

TEST(Agent, GivesLivesThatAreGreaterThanWhatAnotherNodeReports) {
  const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
  const auto in_years =
      static_cast<std::uint64_t>((now + std::chrono::hours(5 * 365 * 24)).count());
  const testing::TemporaryFolder folder;
  const auto server = local::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::NodeReport ahead;
  ahead.node = "ahead";
  ahead.epoch = in_years;
  ASSERT_TRUE(cluster.put_report(ahead));
  cluster::Mailbox<cluster::NodeReport> reports;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  const auto agent = Agent::start(options_of(server->url(), "127.0.0.1", folder));
  ASSERT_TRUE(agent) << agent.error().message;
  std::uint64_t epoch = 0;
  for (int life = 0; epoch <= in_years;
       ++life) {  // the first life may begin before it has heard of the epoch; bounded by ctest
    const auto submix = fmt::format("life{}", life);
    ASSERT_TRUE(cluster.put_show(show_with(submix), {}));
    const auto report = reports.next_that([&](const auto& each) {
      return each.node == "left" && !each.submixes.empty() && each.submixes[0].name == submix;
    });
    ASSERT_TRUE(report);
    epoch = report->epoch;
  }
  EXPECT_LT(epoch, in_years + 1'000'000'000);
}

// The test is the desk: it says which version the desk has, and writes the show.
TEST(Agent, TakesNoShowFromADeskThatIsTooFarInVersion) {
  const testing::TemporaryFolder folder;
  const auto server = local::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "desk"});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::Mailbox<cluster::NodeReport> reports;
  const auto reports_watch = cluster.watch_reports([&](const auto& each) { reports.put(each); });
  cluster::Mailbox<std::string> events;
  const auto events_watch =
      cluster.subscribe_events([&](const auto& event) { events.put(event.text); });
  const auto submixes_after = [&](const std::string& submix) {
    const auto revision = cluster.put_show(show_with(submix), {});
    EXPECT_TRUE(revision);
    const auto report = reports.next_that([&](const auto& each) {
      return each.show_revision == revision &&
             std::ranges::none_of(each.submixes, [](const auto& one) {
               return one.state == cluster::SubmixState::starting;
             });
    });
    std::vector<std::string> names;
    for (const auto& one : report.value_or(cluster::NodeReport()).submixes)
      names.push_back(one.name);
    return names;
  };

  ASSERT_TRUE(cluster.put_desk({"rack2", std::string(version())}));
  const auto agent = Agent::start(options_of(server->url(), "127.0.0.1", folder));
  ASSERT_TRUE(agent) << agent.error().message;
  EXPECT_THAT(submixes_after("one"), ElementsAre("one"));

  ASSERT_TRUE(cluster.put_desk({"rack2", "999.0.0"}));
  EXPECT_THAT(submixes_after("two"), ElementsAre("one")) << "what runs is disturbed";
  const auto told =
      events.next_that([](const auto& text) { return text.find("999.0.0") != std::string::npos; });
  EXPECT_THAT(told.value_or(""), AllOf(HasSubstr("update node left"), HasSubstr("goes on")));
  ASSERT_TRUE(cluster.put_desk({"rack2", std::string(version())}));
  EXPECT_THAT(submixes_after("three"), ElementsAre("three"));
}

/// The submix "left" of the node "left" streams to the node "mix".
cluster::DesiredShow show_with_stream() {
  return {R"(
[show]
name = "one stream"
size = [240, 48]
[[node]]
name = "left"
[[node]]
name = "mix"
[[submix]]
name = "left"
node = "left"
slot = [{ name = "pattern", plugin = "pattern" }, { name = "out", plugin = "stream-out" }]
[[submix]]
name = "mix"
node = "mix"
slot = [{ name = "in", plugin = "stream-in" }, { name = "end", plugin = "null" }]
[[stream]]
name = "left"
from = "left.out"
to = "mix.in"
)",
          "test"};
}

/// The end of the stream "left" at the node "left", on a PC that has the show's key.
class LeftEnd {
 public:
  LeftEnd(const cluster::ShowKey& key, const std::optional<wire::Key>& secret,
          const std::vector<DataEndpoint>& mix) {
    link::DataPlaneOptions options;
    options.node = "left";
    options.addresses = {"127.0.0.1"};
    options.key = key.stream_key();
    data_plane_ = link::DataPlane::start(std::move(options)).value();
    data_plane_->set_partner("mix", secret);
    link::SenderOptions stream;
    stream.stream = "left";
    stream.size = {240, 48};
    stream.rate = {30, 1};
    sender_ = data_plane_->open_sender(std::move(stream)).value();
    sender_->set_destination("mix", mix, {});
  }
  [[nodiscard]] bool waits_until_open() const {
    return waits_for([](const auto& link) { return link.state == telemetry::LinkState::open; });
  }
  [[nodiscard]] bool waits_until_told(const std::string& text) const {
    return waits_for([&](const auto& link) { return link.error.find(text) != std::string::npos; });
  }

 private:
  template <typename Question>
  [[nodiscard]] bool waits_for(Question is_so) const {
    return testing::eventually(
        [&] { return std::ranges::any_of(sender_->telemetry().links, is_so); });
  }

  std::unique_ptr<link::DataPlane> data_plane_;
  std::shared_ptr<link::StreamSender> sender_;
};

// Any PC of the show has the show's key. The test is the node "left", and somebody who imitates it.
TEST(Agent, TakesAStreamOnlyFromThePcOfItsNode) {
  const testing::TemporaryFolder folder;
  const auto key = cluster::ShowKey::random();
  const auto server = local::NatsServer::start({.folder = folder / "nats", .key = key});
  ASSERT_TRUE(server) << server.error().message;
  auto options = options_of(server->url(), "127.0.0.1", folder);
  options.name = "mix";
  options.key = key;
  options.key_file = folder / "show.key";
  const auto own = cluster::Identity::read_or_make(folder.path());
  ASSERT_TRUE(own) << own.error().message;
  cluster::Membership desk{.desk = "here", .nats_url = server->url(), .key_file = options.key_file};
  desk.is_own = true;
  desk.desk_key = own->public_key();
  ASSERT_TRUE(cluster::write_membership(folder.path(), desk, key).has_value());

  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test", .key = key});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  const auto pc = cluster::Identity::random();
  cluster::NodeReport left;
  left.node = "left";
  left.identity = cluster::to_text(pc.public_key());
  ASSERT_TRUE(cluster.put_report(left));
  ASSERT_TRUE(cluster.put_show(show_with_stream(), {}));
  cluster::Mailbox<cluster::NodeReport> reports;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  const auto agent = Agent::start(options);
  ASSERT_TRUE(agent) << agent.error().message;
  const auto mix = reports.next_that(
      [](const auto& each) { return each.node == "mix" && !each.submixes.empty(); });
  ASSERT_TRUE(mix);
  EXPECT_EQ(mix->identity, cluster::to_text(own->public_key()));

  const auto secret =
      cluster::parse_public_key(pc.secret_with(own->public_key(), "submix streams"));
  const auto guess = cluster::parse_public_key(
      cluster::Identity::random().secret_with(own->public_key(), "submix streams"));
  EXPECT_TRUE(LeftEnd(key, std::nullopt, mix->endpoints).waits_until_told("has another key"));
  EXPECT_TRUE(LeftEnd(key, guess, mix->endpoints).waits_until_told("has another key"));
  EXPECT_TRUE(LeftEnd(key, secret, mix->endpoints).waits_until_open());
}

TEST(Agent, IgnoresAnAbsurdEpochThatStandsInTheBucket) {
  const testing::TemporaryFolder folder;
  const auto server = local::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::NodeReport absurd;
  absurd.node = "absurd";
  absurd.epoch = std::uint64_t{1} << 63;
  ASSERT_TRUE(cluster.put_report(absurd));
  ASSERT_TRUE(cluster.put_show(show_with("one"), {}));
  cluster::Mailbox<cluster::NodeReport> reports;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  for (int restart = 0; restart < 2; ++restart) {
    const auto agent = Agent::start(options_of(server->url(), "127.0.0.1", folder));
    ASSERT_TRUE(agent) << agent.error().message;
    const auto report = reports.next_that(
        [](const auto& each) { return each.node == "left" && !each.submixes.empty(); });
    ASSERT_TRUE(report);
    const std::chrono::nanoseconds now = std::chrono::system_clock::now().time_since_epoch();
    EXPECT_LE(report->epoch, static_cast<std::uint64_t>(now.count()));
  }
}

TEST(Agent, ThatRestartsTakesItsLastLifeForNoNamesake) {
  const testing::TemporaryFolder folder;
  const auto server = local::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::Mailbox<cluster::NodeReport> reports;
  std::atomic<int> accusations = 0;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  const auto events = cluster.subscribe_events([&](const auto& event) {
    if (event.text.find("another node with this name") != std::string::npos) ++accusations;
  });
  std::string former;
  for (int restart = 0; restart < 25; ++restart) {
    const auto agent = Agent::start(options_of(server->url(), "127.0.0.1", folder));
    ASSERT_TRUE(agent) << agent.error().message;
    const auto report =
        reports.next_that([&](const auto& each) { return each.instance != former; });
    ASSERT_TRUE(report);
    former = report->instance;
    // Later actions come after the reports that were waiting.
    const auto revision = cluster.put_show({fmt::format("name = \"life{}\"", restart), "test"}, {});
    ASSERT_TRUE(revision);
    EXPECT_TRUE(
        reports.next_that([&](const auto& each) { return each.show_revision == *revision; }));
  }
  EXPECT_EQ(accusations, 0);
}

TEST(Agent, AndItsNamesakeSayThatTheyHaveOneName) {
  const testing::TemporaryFolder folder;
  const auto server = local::NatsServer::start({folder / "nats"});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test"});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::Mailbox<cluster::NodeReport> reports;
  cluster::Mailbox<cluster::Event> accusations;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  const auto events = cluster.subscribe_events([&](const auto& event) { accusations.put(event); });
  const auto agent = Agent::start(options_of(server->url(), "127.0.0.1", folder));
  ASSERT_TRUE(agent) << agent.error().message;
  const auto own = reports.next_that([](const auto& each) { return each.node == "left"; });
  ASSERT_TRUE(own);
  auto namesake = *own;
  namesake.instance = "another";
  namesake.host = "elsewhere";
  ASSERT_TRUE(cluster.put_report(namesake));
  EXPECT_TRUE(accusations.next_that([](const auto& event) {
    return event.text.find("another node with this name runs on elsewhere") != std::string::npos;
  }));
  EXPECT_TRUE(reports.next_that([&](const auto& each) { return each.instance == own->instance; }))
      << "its own report again, for the namesake to see";
}

/// The report of a node with its own card, once the node has the card.
void expect_speeds_in_the_report(const std::string& address) {
  const testing::TemporaryFolder folder;
  const auto key = cluster::ShowKey::random();
  const auto server = local::NatsServer::start({.folder = folder / "nats", .key = key});
  ASSERT_TRUE(server) << server.error().message;
  const auto bus = cluster::Bus::connect({.url = server->url(), .name = "test", .key = key});
  ASSERT_TRUE(bus) << bus.error().message;
  cluster::Cluster cluster(**bus);
  cluster::Mailbox<cluster::NodeReport> reports;
  const auto watch = cluster.watch_reports([&](const auto& report) { reports.put(report); });
  auto options = options_of(server->url(), address, folder);
  options.key = key;
  options.wants_realtime = false;
  const auto agent = Agent::start(options);
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
