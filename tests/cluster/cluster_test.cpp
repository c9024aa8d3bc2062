// SPDX-License-Identifier: GPL-3.0-or-later
// With a real nats-server.
#include "common/cluster/cluster.hpp"
#include "common/base/version.hpp"

#include "common/cluster/codec.hpp"
#include "common/cluster/picture_shelf.hpp"
#include "common/show/parse.hpp"
#include "controller/local/nats_server.hpp"
#include "tests/cluster/mailbox.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/why.hpp"

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
    auto server = local::NatsServer::start({folder_ / "nats"});
    ASSERT_TRUE(server) << server.error().message;
    server_.emplace(*std::move(server));
    auto bus = Bus::connect({server_->url(), "test", {}, 5s});
    ASSERT_TRUE(bus) << bus.error().message;
    bus_ = *std::move(bus);
    cluster_.emplace(*bus_);
  }

  const TemporaryFolder folder_;
  std::optional<local::NatsServer> server_;
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
  const auto shows =
      cluster_->watch_show([&](const auto& show) { seen.put("show " + show.value.toml); });
  const auto transports =
      cluster_->watch_transport([&](const auto& transport) { seen.put(transport.author); });
  const auto reports =
      cluster_->watch_reports([&](const auto& report) { seen.put("node " + report.node); });
  ASSERT_TRUE(cluster_->put_show({"x", ""}, {}));
  EXPECT_EQ(seen.next(), "show x");
  ASSERT_TRUE(cluster_->put_transport({true, 1, "me"}, {}));
  EXPECT_EQ(seen.next(), "me");
  NodeReport report;
  report.node = "left";
  ASSERT_TRUE(cluster_->put_report(report));
  EXPECT_EQ(seen.next(), "node left");
}

TEST_F(ClusterTest, KnowsWhetherTheDeskIsTooFarInVersion) {
  Mailbox<std::string> seen;
  const auto watch = cluster_->watch_gap_to_desk(
      "this PC", [&](const std::string& gap) { seen.put("gap: " + gap); });
  EXPECT_EQ(cluster_->gap_to_desk("node left"), "") << "nobody has said which version it has";
  ASSERT_TRUE(cluster_->put_desk({"rack2", std::string(version())}));
  EXPECT_EQ(seen.next(), "gap: ");
  EXPECT_EQ(cluster_->gap_to_desk("node left"), "");
  ASSERT_TRUE(cluster_->put_desk({"rack2", "999.0.0"}));
  EXPECT_THAT(seen.next().value_or(""), HasSubstr("desk rack2 has 999.0.0"));
  EXPECT_THAT(cluster_->gap_to_desk("node left"), HasSubstr("update node left"));
}

TEST_F(ClusterTest, KeepsWhichAlertsPeopleHaveSeen) {
  Mailbox<std::string> seen;
  const auto watch = cluster_->watch_alerts_seen(
      [&](const auto& alerts) { seen.put(fmt::format("{}", fmt::join(alerts.things, ", "))); });
  EXPECT_TRUE(cluster_->alerts_seen()->things.empty());
  ASSERT_TRUE(cluster_->change_alerts_seen({"node left", "link 1 of right"}, {}));
  EXPECT_EQ(seen.next(), "node left, link 1 of right");
  ASSERT_TRUE(cluster_->change_alerts_seen({"node left"}, {"node elsewhere"}));  // nothing changes
  ASSERT_TRUE(cluster_->change_alerts_seen({"node mix"}, {"node left"}));
  EXPECT_EQ(seen.next(), "link 1 of right, node mix");
  EXPECT_EQ(cluster_->alerts_seen()->things,
            (std::vector<std::string>{"link 1 of right", "node mix"}));
}

TEST_F(ClusterTest, WritesSeenAlertsInThePlaceOfWhatNobodyCanRead) {
  ASSERT_TRUE(bus_->put("submix-desired", "alerts-seen", "garbage"));
  EXPECT_TRUE(cluster_->alerts_seen()->things.empty());
  ASSERT_TRUE(cluster_->change_alerts_seen({"node left"}, {}));
  EXPECT_EQ(cluster_->alerts_seen()->things, std::vector<std::string>{"node left"});
}

TEST_F(ClusterTest, KeepsTheNewestOfTooManySeenAlerts) {
  std::vector<std::string> things;
  for (std::size_t i = 0; i <= AlertsSeen::kThingsMax; ++i)
    things.push_back(fmt::format("node {}", i));
  ASSERT_TRUE(cluster_->change_alerts_seen(things, {}));
  const auto kept = cluster_->alerts_seen()->things;
  ASSERT_EQ(kept.size(), AlertsSeen::kThingsMax);
  EXPECT_EQ(kept.front(), "node 1");
}

TEST_F(ClusterTest, TakesNoReportThatStandsUnderAnotherNodesName) {
  Mailbox<std::string> seen;
  const auto reports = cluster_->watch_revisioned_reports([&](const auto& report) {
    seen.put(fmt::format("{} {}", report.value.node, report.revision));
  });
  NodeReport report;
  report.node = "left";
  ASSERT_TRUE(bus_->put("submix-reported", "right", encode(report)));
  const auto revision = cluster_->put_report(report);
  ASSERT_TRUE(revision);
  EXPECT_EQ(seen.next(), fmt::format("left {}", *revision));
}

TEST_F(ClusterTest, TellsSinceWhenANodeIsSilentByTheServersClock) {
  ASSERT_TRUE(cluster_->put_sign_of_life("rack1"));
  const auto before = cluster_->silence_of("rack1");
  ASSERT_TRUE(before && *before);
  EXPECT_GE(**before, std::chrono::milliseconds(0));
  const auto after = cluster_->silence_of("rack1");
  ASSERT_TRUE(after && *after);
  EXPECT_GE(**after, **before);
  EXPECT_EQ(cluster_->silence_of("rack2").value(), std::nullopt);
}

// Each reader writes the same key. With many of them, a reader found its own entry replaced ten
// times, and its command failed.
TEST_F(ClusterTest, TellsItsClockToManyAtOnce) {
  constexpr int kReaders = 24;
  const auto read_often = [this] {
    const SteadyClock clock;
    for (int i = 0; i < 20; ++i) {
      const auto reading = cluster_->read_clock(clock);
      if (!reading) return reading.error().message;
      if (reading->received < reading->sent) return std::string("received before it was sent");
    }
    return std::string();
  };
  std::vector<std::future<std::string>> readers;
  for (int i = 0; i < kReaders; ++i)
    readers.push_back(std::async(std::launch::async, read_often));
  for (auto& reader : readers)
    EXPECT_EQ(reader.get(), "");
}

TEST_F(ClusterTest, CarriesReadingsAndEventsAndDropsGarbage) {
  Mailbox<std::string> seen;
  const auto readings = cluster_->subscribe_readings(
      [&](const auto& reading) { seen.put("reading " + reading.node); });
  const auto events =
      cluster_->subscribe_events([&](const auto& event) { seen.put("event " + event.text); });
  bus_->publish("submix.telemetry.left", "garbage");
  bus_->publish("submix.telemetry.left", "{\"node\": 7}");
  telemetry::NodeReading reading;
  reading.node = "left";
  cluster_->publish(reading);
  EXPECT_EQ(seen.next(), "reading left");
  cluster_->publish(Event{"left", Severity::fault, "clip", "gone"});
  EXPECT_EQ(seen.next(), "event gone");
  const auto sounds =
      cluster_->subscribe_sound([&](const auto& heard) { seen.put("sound of " + heard.node); });
  cluster_->publish(HeardSound{"left", {.bass = 1.0}});
  EXPECT_EQ(seen.next(), "sound of left");
}

Snapshot four_k_picture() {
  std::string pixels(std::size_t{3840} * 2160 * 3, '\0');
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<char>(i / 4099);  // no two parts are the same
  return {{3840, 2160}, 1, std::move(pixels)};
}

TEST_F(ClusterTest, RefusesAHugePictureToAProgramThatKnowsNoParts) {
  const auto service =
      cluster_->serve_commands("left", [](const Command&) { return four_k_picture(); });
  const auto ask = [&] {
    return bus_->request("submix.command.snapshot.left", R"({"kind": "snapshot"})", 5s);
  };
  auto reply = ask();
  for (int i = 0; i < 1000 && !reply; ++i)
    reply = ask();  // until NATS knows the service
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_THAT(*reply, AllOf(HasSubstr("24883"), HasSubstr("newer ones take it in parts")));
}

TEST(PictureShelf, GivesPartsUntilTheLastOneAndForgetsThePicture) {
  PictureShelf shelf;
  Command command;
  command.token = "a";
  const std::string reply(kTracePartBytes + 3, 'x');
  EXPECT_EQ(decode_trace_reply(shelf.keep(command, reply))->parts, 2U);
  command.part = 2;
  EXPECT_THAT(why(decode_trace_reply(shelf.part(command))),
              HasSubstr("has 2 parts, and no part 2"));
  command.part = 1;
  EXPECT_EQ(decode_trace_reply(shelf.part(command))->text, "xxx");
  EXPECT_THAT(why(decode_trace_reply(shelf.part(command))), HasSubstr("not kept any more"));
}

TEST(PictureShelf, KeepsNoMoreThanTwoPictures) {
  PictureShelf shelf;
  for (const auto* token : {"a", "b", "c"}) {
    Command command;
    command.token = token;
    EXPECT_TRUE(decode_trace_reply(shelf.keep(command, std::string(kTracePartBytes + 1, 'x'))));
  }
  Command lost;
  lost.token = "a";
  lost.part = 1;
  EXPECT_FALSE(decode_trace_reply(shelf.part(lost)));
  lost.token = "b";
  EXPECT_TRUE(decode_trace_reply(shelf.part(lost)));
}

TEST(PictureShelf, RefusesAPictureOfMorePartsThanAreTaken) {
  PictureShelf shelf;
  const auto reply = shelf.keep({}, std::string(kTracePartsMax * kTracePartBytes + 1, 'x'));
  EXPECT_THAT(why(decode_trace_reply(reply)), HasSubstr("--width"));
}

TEST_F(ClusterTest, AnswersCommandsOrSaysWhyNot) {
  const auto service =
      cluster_->serve_commands("left", [](const Command& command) -> Result<Reply> {
        if (command.kind == CommandKind::plugins)
          return std::vector<PluginSummary>{{"clip", "source", "", "", {}}};
        if (command.submix == "huge") return four_k_picture();
        if (command.submix != "left")
          return fail("submix \"{}\" does not run here", command.submix);
        return Snapshot{{2, 1}, 7, "abcdef"};
      });
  auto plugins = cluster_->request_plugins("left");
  for (int i = 0; i < 1000 && !plugins; ++i)
    plugins = cluster_->request_plugins("left");  // until NATS knows the service
  ASSERT_TRUE(plugins) << plugins.error().message;
  EXPECT_EQ(plugins->at(0).id, "clip");
  EXPECT_EQ(cluster_->request_snapshot("left", {CommandKind::snapshot, "left", "", 0})->rgb24,
            "abcdef");
  EXPECT_THAT(why(cluster_->request_snapshot("left", {CommandKind::snapshot, "x", "", 0})),
              HasSubstr("node \"left\": submix \"x\" does not run here"));
  const auto huge = cluster_->request_snapshot("left", {CommandKind::snapshot, "huge", "", 0});
  ASSERT_TRUE(huge) << huge.error().message;
  EXPECT_EQ(huge->size, (Size{3840, 2160}));
  EXPECT_TRUE(huge->rgb24 == four_k_picture().rgb24);
  EXPECT_TRUE(cluster_->is_there("left", 5s));
  EXPECT_FALSE(cluster_->is_there("right", 5s));
  EXPECT_THAT(why(cluster_->request_plugins("right")), HasSubstr("node \"right\" does not answer"));
}

TEST_F(ClusterTest, AnswersForAPictureWhileItAnswersForPlugins) {
  std::promise<void> picture_is_there;
  const auto until_picture = picture_is_there.get_future().share();
  std::once_flag first;
  std::latch is_asked(1);
  const auto service =
      cluster_->serve_commands("left", [&](const Command& command) -> Result<Reply> {
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

TEST_F(ClusterTest, GivesWhatIsNoShowAsOneThatCannotBeRead) {
  const auto revision = bus_->put("submix-desired", "show", "garbage");
  ASSERT_TRUE(revision);
  const auto show = cluster_->show();
  ASSERT_TRUE(show) << show.error().message;
  EXPECT_EQ(show->revision, *revision);
  EXPECT_EQ(show->value.toml, "! show: 7 bytes are not JSON\ngarbage");
  const auto parsed = show::parse(show->value.toml, "show");
  ASSERT_FALSE(parsed);
  EXPECT_EQ(to_string(parsed.error()), "show:1: no show of Submix: show: 7 bytes are not JSON");
}

TEST_F(ClusterTest, WritesNoShowThatNobodyWouldRead) {
  const auto written = cluster_->put_show({std::string(kMessageBytesMax, '\n'), "me"}, {});
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message,
              AllOf(HasSubstr("not written"), HasSubstr("more than 1048576")));
  EXPECT_EQ(cluster_->show()->revision, 0U);
}

}  // namespace
}  // namespace submix::cluster
