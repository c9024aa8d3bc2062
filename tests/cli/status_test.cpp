// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/status_json.hpp"
#include "controller/cli/status_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace submix::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

model::ClusterView duo() {
  model::ClusterView view;
  view.connection = model::Connection::connected;
  view.connection_text = "nats://127.0.0.1:4222";
  auto show = std::make_shared<show::Show>();
  show->name = "duo";
  view.show = show;
  view.show_revision = 7;
  view.show_author = "me";
  model::NodeView node;
  node.name = "left";
  node.health = model::Health::healthy;
  node.host = "rack2";
  node.version = "0.1.0";
  node.cores = 8;
  node.cpu_cores = 1.5;
  node.memory_bytes = 120'000'000;
  node.page_faults = 1234;
  node.page_faults_per_second = 2;
  node.allocations = 56;
  node.allocations_per_second = 3;
  node.uptime = 90s;
  view.nodes = {node};
  model::SubmixView submix;
  submix.name = "left";
  submix.node = "left";
  submix.state = model::SubmixState::running;
  submix.fps = 29.97;
  submix.stages = {{"clip", "clip", 300, 29.97, {0.25, 0.5, 0.25}, {}, {{"lost", 0}}}};
  view.submixes = {submix};
  model::StreamView stream;
  stream.name = "left";
  stream.from = {"left", "out"};
  stream.to = {"mix", "left"};
  stream.sender.node = "left";
  stream.sender.latency = {std::chrono::microseconds(12'400), std::chrono::milliseconds(20), {}};
  model::LinkView link;
  link.state = telemetry::LinkState::open;
  link.local = "10.0.0.1:1";
  link.mb_per_second = 41.46;
  link.bytes = 123456;
  link.queue_bytes = 1;
  link.queue_limit_bytes = 4;
  link.shares.blocked = 0.03;
  stream.sender.links = {link, link};
  stream.sender.links[1].index = 1;
  view.streams = {stream};
  return view;
}

TEST(StatusText, ShowsNodesSubmixesAndEachLink) {
  const auto text = status_text(duo());
  EXPECT_THAT(text, HasSubstr("NATS connected: nats://127.0.0.1:4222\n"));
  EXPECT_THAT(text, HasSubstr("show \"duo\", revision 7 by me: 1280 x 720 at 30 fps"));
  EXPECT_THAT(text,
              HasSubstr("left  healthy  rack2  0.1.0    1.50 of 8  120 MB         2         3  90 s\n"));
  EXPECT_THAT(text, HasSubstr("left    left  running  30.0  clip             25 %\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "left (left.out to mix.left)  wait    0     open   41.5   25 %      3 %  12.4 ms  10.0.0.1:1\n"));
  EXPECT_THAT(text, HasSubstr("                                     1     open   41.5"));
}

TEST(StatusText, ShowsTheNewestWarningsButNoNotes) {
  auto view = duo();
  for (std::uint64_t i = 0; i < 7; ++i)
    view.events.push_back({i, {}, 1, {"left", Severity::warning, "left.clip", fmt::format("trouble {}", i)}});
  view.events.push_back({7, {}, 3, {"mix", Severity::fault, "mix.record", "disk full"}});
  view.events.push_back({8, {}, 1, {"left", Severity::note, "left", "runs"}});
  const auto text = status_text(view);
  EXPECT_THAT(text, HasSubstr("\nwarning: node left: left.clip: trouble 6\n"
                              "fault: node mix: mix.record: disk full (3 times)\n"));
  EXPECT_THAT(text, Not(HasSubstr("trouble 2")));
  EXPECT_THAT(text, Not(HasSubstr("runs\n")));
}

TEST(StatusText, ShowsALinkInTheDirectionOfItsFramesAlsoWhenOnlyTheReceiverTellsOfIt) {
  auto view = duo();
  auto& stream = view.streams[0];
  stream.receiver.links = {stream.sender.links[0]};
  stream.receiver.links[0].local = "10.0.0.9:2";
  stream.receiver.links[0].remote = "10.0.0.1:1";
  stream.sender.links.clear();
  EXPECT_THAT(status_text(view), HasSubstr("10.0.0.1:1  10.0.0.9:2"));
}

TEST(StatusJson, TellsHowManyFramesAreDoneAndHowManyWereLate) {
  auto view = duo();
  view.submixes[0].frames = 4711;
  view.submixes[0].late_frames = 3;
  const auto submix = nlohmann::json::parse(status_json(view))["submixes"][0];
  EXPECT_EQ(submix["frames"], 4711);
  EXPECT_EQ(submix["late_frames"], 3);
}

TEST(StatusText, NamesASlotWhosePluginDoesNotWork) {
  auto view = duo();
  view.submixes[0].stages[0].trouble = "plugin \"frei0r/x\" crashed: it is bypassed";
  const auto line = fmt::format("slot \"{}.{}\": plugin \"frei0r/x\" crashed: it is bypassed\n",
                                view.submixes[0].name, view.submixes[0].stages[0].slot);
  EXPECT_THAT(status_text(view), HasSubstr(line));
  const auto json = nlohmann::json::parse(status_json(view));
  EXPECT_EQ(json["submixes"][0]["slots"][0]["trouble"], view.submixes[0].stages[0].trouble);
}

TEST(StatusText, RemarksDamagedStripes) {
  auto view = duo();
  auto& link = view.streams[0].sender.links[1];
  link.stripes_damaged = 1;
  EXPECT_THAT(status_text(view), HasSubstr("1 stripe damaged\n"));
  link.stripes_damaged = 12;
  link.warning = "MTU 1500 here";
  EXPECT_THAT(status_text(view), HasSubstr("12 stripes damaged; MTU 1500 here\n"));
  const auto links = nlohmann::json::parse(status_json(view))["streams"][0]["links"];
  EXPECT_EQ(links[0]["stripes_damaged"], 0);
  EXPECT_EQ(links[1]["stripes_damaged"], 12);
}

TEST(StatusText, RemarksWhatMakesALinkSlowUnlessItIsNotOpenAtAll) {
  auto view = duo();
  view.streams[0].sender.links[0].warning = "MTU 1500 here";
  EXPECT_THAT(status_text(view), HasSubstr("MTU 1500 here\n"));
  EXPECT_EQ(nlohmann::json::parse(status_json(view))["streams"][0]["links"][0]["warning"], "MTU 1500 here");
  view.streams[0].sender.links[0].error = "no carrier";
  EXPECT_THAT(status_text(view), HasSubstr("no carrier\n"));
}

TEST(Status, ShowsAStreamsPolicyWhatItSkippedAndWhyItIsDetached) {
  auto view = duo();
  auto& stream = view.streams[0];
  stream.policy = show::InputPolicy::latest;
  stream.sender.frames_skipped = 12;
  stream.sender.frames_copied = 3;
  EXPECT_THAT(status_text(view), HasSubstr("left (left.out to mix.left)  latest, 12 skipped  0 "));
  stream.policy = show::InputPolicy::wait;
  stream.sender.detached = "node mix took no frame for 500 ms";
  EXPECT_THAT(status_text(view), AllOf(HasSubstr("\nstream \"left\": node mix took no frame for 500 ms\n"),
                                       HasSubstr("  wait, detached, 12 skipped  0 ")));
  const auto json = nlohmann::json::parse(status_json(view))["streams"][0];
  EXPECT_EQ(json["policy"], "wait");
  EXPECT_EQ(json["sender"]["frames_skipped"], 12);
  EXPECT_EQ(json["sender"]["frames_copied"], 3);
  EXPECT_EQ(json["sender"]["detached"], "node mix took no frame for 500 ms");
}

TEST(StatusText, ShowsANodeThatNobodyHasHeardOf) {
  auto view = duo();
  view.nodes.push_back({});
  view.nodes[1].name = "mix";
  const auto absent = std::string(to_string(model::Health::absent));
  EXPECT_THAT(
      status_text(view),
      HasSubstr("mix   " + absent + "  -      -                -       -         -         -     -\n"));
}

TEST(StatusText, ShowsNoFiguresOfANodeThatSaysNothing) {
  auto view = duo();
  view.nodes[0].health = model::Health::silent;
  view.nodes[0].uptime = 0s;
  EXPECT_THAT(status_text(view),
              HasSubstr("left  silent  rack2  0.1.0      -       -         -         -   -\n"));
}

TEST(Status, NamesWhatAllWaitForWhileTheShowStandsStill) {
  auto view = duo();
  EXPECT_THAT(status_text(view), Not(HasSubstr("stands still")));
  EXPECT_TRUE(nlohmann::json::parse(status_json(view))["waits_for"].empty());
  view.submixes[0].fps = 0;
  view.submixes[0].is_final = true;
  view.nodes.clear();
  EXPECT_THAT(status_text(view), HasSubstr("the show stands still; all wait for node \"left\""));
  EXPECT_THAT(nlohmann::json::parse(status_json(view))["waits_for"][0].get<std::string>(),
              HasSubstr("submix-node --name left"));
}

TEST(StatusText, SaysWhatToDoInAnEmptyCluster) {
  const auto text = status_text(model::ClusterView());
  EXPECT_THAT(text, HasSubstr("submix apply FILE"));
  EXPECT_THAT(text, HasSubstr("submix-node --name NAME"));
}

TEST(StatusJson, IsOneLineWithStableNames) {
  const auto line = status_json(duo());
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto status = nlohmann::json::parse(line);
  EXPECT_EQ(status["connection"]["state"], "connected");
  EXPECT_EQ(status["show"]["size"], nlohmann::json::array({1280, 720}));
  EXPECT_EQ(status["nodes"][0]["health"], "healthy");
  EXPECT_EQ(status["nodes"][0]["uptime_s"], 90.0);
  EXPECT_EQ(status["nodes"][0]["page_faults"], 1234);
  EXPECT_EQ(status["nodes"][0]["page_faults_per_second"], 2.0);
  EXPECT_EQ(status["nodes"][0]["allocations"], 56);
  EXPECT_EQ(status["nodes"][0]["allocations_per_second"], 3.0);
  EXPECT_EQ(status["submixes"][0]["slots"][0]["counters"]["lost"], 0);
  EXPECT_EQ(status["streams"][0]["from"], "left.out");
  EXPECT_EQ(status["streams"][0]["latency_ms_p99"], 20.0);
  EXPECT_EQ(status["streams"][0]["links"].size(), 2U);
  EXPECT_EQ(status["streams"][0]["links"][1]["bytes"], 123456);
  EXPECT_EQ(status["streams"][0]["links"][1]["queue_fill"], 0.25);
  EXPECT_EQ(status["streams"][0]["links"][1]["blocked"], 0.03);
}

TEST(StatusJson, IsJsonEvenWithTextThatIsNotUtf8) {
  auto view = duo();
  view.nodes[0].host = "\xff";
  EXPECT_TRUE(nlohmann::json::accept(status_json(view)));
  EXPECT_TRUE(nlohmann::json::accept(status_json(model::ClusterView())));
}

}  // namespace
}  // namespace submix::cli
