// SPDX-License-Identifier: GPL-3.0-or-later
// With a real nats-server.
#include "common/cluster/cluster.hpp"

#include "common/cluster/nats_server.hpp"
#include "tests/cluster/mailbox.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <latch>
#include <mutex>
#include <vector>

namespace submix::cluster {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::TemporaryFolder;
using namespace std::chrono_literals;

class ClusterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = NatsServer::start({folder_ / "nats"});
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(*std::move(server));
    auto bus = Bus::connect({server_->url(), "test", {}, 5s});
    ASSERT_TRUE(bus) << bus.error().message;
    bus_ = *std::move(bus);
    cluster_.emplace(*bus_);
  }

  const TemporaryFolder folder_;
  std::optional<NatsServer> server_;
  std::unique_ptr<Bus> bus_;
  std::optional<Cluster> cluster_;
};

TEST_F(ClusterTest, HasNoShowAtFirst) {
  const auto show = cluster_->show();
  ASSERT_TRUE(show) << show.error().message;
  EXPECT_EQ(show->revision, 0U);
  EXPECT_EQ(cluster_->transport()->value, DesiredTransport());
}

TEST_F(ClusterTest, NamesWhoWroteTheShowThatAStaleWriterMissed) {
  const auto created = cluster_->put_show({"one", "left hand"}, 0);
  ASSERT_TRUE(created) << created.error().message;
  const auto conflict = cluster_->put_show({"two", "right hand"}, 0);
  ASSERT_FALSE(conflict);
  EXPECT_TRUE(conflict.error().is_conflict);
  EXPECT_THAT(conflict.error().message, AllOf(HasSubstr("left hand"), HasSubstr("revision")));
  EXPECT_EQ(cluster_->show()->value.toml, "one");
  EXPECT_TRUE(cluster_->put_show({"two", "right hand"}, {}));
  EXPECT_EQ(cluster_->show()->value.toml, "two");
}

TEST_F(ClusterTest, WatchesShowTransportAndReports) {
  Mailbox<std::string> seen;
  const auto shows = cluster_->watch_show([&](const auto& show) { seen.put("show " + show.value.toml); });
  const auto transports =
      cluster_->watch_transport([&](const auto& transport) { seen.put(transport.author); });
  const auto reports = cluster_->watch_reports([&](const auto& report) { seen.put("node " + report.node); });
  ASSERT_TRUE(cluster_->put_show({"x", ""}, {}));
  EXPECT_EQ(seen.next(), "show x");
  ASSERT_TRUE(cluster_->put_transport({true, 1, "me"}, {}));
  EXPECT_EQ(seen.next(), "me");
  NodeReport report;
  report.node = "left";
  ASSERT_TRUE(cluster_->put_report(report));
  EXPECT_EQ(seen.next(), "node left");
}

TEST_F(ClusterTest, CarriesReadingsAndEventsAndDropsGarbage) {
  Mailbox<std::string> seen;
  const auto readings =
      cluster_->subscribe_readings([&](const auto& reading) { seen.put("reading " + reading.node); });
  const auto events = cluster_->subscribe_events([&](const auto& event) { seen.put("event " + event.text); });
  bus_->publish("submix.telemetry.left", "garbage");
  bus_->publish("submix.telemetry.left", "{\"node\": 7}");
  telemetry::NodeReading reading;
  reading.node = "left";
  cluster_->publish(reading);
  EXPECT_EQ(seen.next(), "reading left");
  cluster_->publish(Event{"left", Severity::fault, "clip", "gone"});
  EXPECT_EQ(seen.next(), "event gone");
}

TEST_F(ClusterTest, AnswersCommandsOrSaysWhyNot) {
  const auto service = cluster_->serve_commands("left", [](const Command& command) -> Result<Reply> {
    if (command.kind == CommandKind::plugins)
      return std::vector<PluginSummary>{{"clip", "source", "", "", {}}};
    if (command.submix == "huge") return Snapshot{{2000, 2000}, 1, std::string(12'000'000, 'x')};
    if (command.submix != "left") return fail("submix \"{}\" does not run here", command.submix);
    return Snapshot{{2, 1}, 7, "abcdef"};
  });
  auto plugins = cluster_->request_plugins("left");
  for (int i = 0; i < 1000 && !plugins; ++i)
    plugins = cluster_->request_plugins("left");  // until NATS knows the service
  ASSERT_TRUE(plugins) << plugins.error().message;
  EXPECT_EQ(plugins->at(0).id, "clip");
  EXPECT_EQ(cluster_->request_snapshot("left", {CommandKind::snapshot, "left", "", 0})->rgb24, "abcdef");
  EXPECT_THAT(cluster_->request_snapshot("left", {CommandKind::snapshot, "x", "", 0}).error().message,
              HasSubstr("node \"left\": submix \"x\" does not run here"));
  EXPECT_THAT(cluster_->request_snapshot("left", {CommandKind::snapshot, "huge", "", 0}).error().message,
              AllOf(HasSubstr("--width"), HasSubstr("12000")));
  EXPECT_TRUE(cluster_->is_there("left", 5s));
  EXPECT_FALSE(cluster_->is_there("right", 5s));
  EXPECT_THAT(cluster_->request_plugins("right").error().message,
              HasSubstr("node \"right\" does not answer"));
}

TEST_F(ClusterTest, AnswersForAPictureWhileItAnswersForPlugins) {
  std::promise<void> picture_is_there;
  const auto until_picture = picture_is_there.get_future().share();
  std::once_flag first;
  std::latch is_asked(1);
  const auto service = cluster_->serve_commands("left", [&](const Command& command) -> Result<Reply> {
    if (command.kind == CommandKind::snapshot) return Snapshot{{2, 1}, 7, "abcdef"};
    std::call_once(first, [&] { is_asked.count_down(); });
    until_picture.wait();
    return std::vector<PluginSummary>{{"clip", "source", "", "", {}}};
  });
  auto plugins = std::async(std::launch::async, [&] {
    auto listed = cluster_->request_plugins("left");
    for (int i = 0; i < 1000 && !listed; ++i)
      listed = cluster_->request_plugins("left");  // until NATS knows the service
    return listed;
  });
  is_asked.wait();
  const auto picture = cluster_->request_snapshot("left", {CommandKind::snapshot, "left", "", 0});
  picture_is_there.set_value();
  EXPECT_TRUE(picture) << picture.error().message;
  EXPECT_TRUE(plugins.get());
}

TEST_F(ClusterTest, RefusesAShowThatIsNotInItsForm) {
  ASSERT_TRUE(bus_->put("submix-desired", "show", "garbage"));
  EXPECT_THAT(cluster_->show().error().message, HasSubstr("not understood"));
}

}  // namespace
}  // namespace submix::cluster
