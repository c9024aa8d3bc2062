// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/cli/pools_text.hpp"
#include "controller/cli/status_json.hpp"
#include "controller/cli/status_text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <utility>

namespace submix::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

model::ClusterView duo() {
  model::ClusterView view;
  view.connection = model::ConnectionState::connected;
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
  node.core_shares = {0.5, 0.97};
  node.machine_memory_bytes = 16'000'000'000;
  node.machine_memory_available_bytes = 9'000'000'000;
  node.cards = {{"enp1s0", {"10.0.0.1", "fd00::1"}, 1500, 1000, 2500, true, 1.25, 104},
                {"wg0", {"10.9.0.1"}, 1420, 0, 0, false, 0, 0}};
  view.nodes = {node};
  model::SubmixView submix;
  submix.name = "left";
  submix.node = "left";
  submix.state = model::SubmixState::running;
  submix.fps = 29.97;
  submix.stages = {{"clip", "clip", 300, 29.97, {0.25, 0.5, 0.25}, {}, {{"lost", 0}}}};
  submix.stages[0].frame_time = {1500us, 4ms, 20ms};
  submix.stages[0].queues = {{"b", 1, 2, {{4711, 3}}}};
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
  link.protection = Protection::aes_256_gcm;
  link.mb_per_second = 41.46;
  link.bytes = 123456;
  link.queue_bytes = 1;
  link.queue_limit_bytes = 4;
  link.shares.blocked = 0.03;
  link.share = 0.5;
  link.round_trip = 400us;
  link.segments_retransmitted = 130;
  link.bytes_retransmitted = 188'240;
  link.retransmits_per_second = 13;
  stream.sender.links = {link, link};
  stream.sender.links[1].index = 1;
  view.streams = {stream};
  return view;
}

TEST(StatusText, ShowsNodesSubmixesAndEachLink) {
  const auto text = status_text(duo());
  EXPECT_THAT(text, HasSubstr("NATS connected: nats://127.0.0.1:4222\n"));
  EXPECT_THAT(text, HasSubstr("show \"duo\", revision 7 by me: 1280 x 720 at 30 fps"));
  EXPECT_THAT(
      text,
      HasSubstr("left  healthy  rack2  0.1.0    1.50 of 8      97 %  120 MB  9.0 of 16.0 GB    "
                "     2         3  90 s\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "left  enp1s0  up       1000  1500      1.2     104.0      83 %  10.0.0.1, fd00::1\n"));
  EXPECT_THAT(
      text,
      HasSubstr("left  wg0     down        -  1420      0.0       0.0         -  10.9.0.1\n"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "left    left  running  30.0  clip             25 %     1.5 ms  4.0 ms  20.0 ms\n"));
  EXPECT_THAT(
      text,
      HasSubstr("left (left.out to mix.left)  wait    0     open   41.5   50 %   25 %      3 % "
                " 0.4 ms        13  12.4 ms  10.0.0.1:1\n"));
  EXPECT_THAT(text, HasSubstr("                                     1     open   41.5"));
}

TEST(StatusJson, TellsOfTheMachineAndItsCards) {
  const auto status = nlohmann::json::parse(status_json(duo()));
  const auto& node = status["nodes"][0];
  EXPECT_EQ(node["core_shares"][1], 0.97);
  EXPECT_EQ(node["machine_memory_bytes"], 16'000'000'000);
  EXPECT_EQ(node["machine_memory_available_bytes"], 9'000'000'000);
  EXPECT_EQ(node["cards"][0]["addresses"][1], "fd00::1");
  EXPECT_EQ(node["cards"][0]["sent_mb_per_second"], 104);
  EXPECT_EQ(node["cards"][0]["share"], 0.832);
  EXPECT_TRUE(node["cards"][1]["share"].is_null());
}

TEST(StatusJson, TellsOfALinksRoundTripShareAndRetransmissions) {
  const auto link = nlohmann::json::parse(status_json(duo()))["streams"][0]["links"][0];
  EXPECT_EQ(link["round_trip_ms"], 0.4);
  EXPECT_EQ(link["share"], 0.5);
  EXPECT_EQ(link["segments_retransmitted"], 130);
  EXPECT_EQ(link["bytes_retransmitted"], 188'240);
  EXPECT_EQ(link["retransmits_per_second"], 13);
}

TEST(StatusText, ShowsTheNewestWarningsButNoNotes) {
  auto view = duo();
  for (std::uint64_t i = 0; i < 7; ++i)
    view.events.push_back(
        {i, {}, 1, {"left", Severity::warning, "left.clip", fmt::format("trouble {}", i)}});
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

TEST(Status, TellsHowPunctualTheOutputIs) {
  auto view = duo();
  view.submixes[0].is_final = true;
  EXPECT_THAT(status_text(view), Not(HasSubstr(" late ")));
  view.submixes[0].jitter = {{0, 990, 0, 0, 10}, 250us};
  EXPECT_THAT(status_text(view), HasSubstr("\"left\" comes 0.05 ms late at most in half of its "
                                           "frames, 0.05 ms in 99 %, 0.25 ms in all; 0 "));
  const auto jitter = nlohmann::json::parse(status_json(view))["submixes"][0]["jitter"];
  EXPECT_EQ(jitter["frames"], 1000);
  EXPECT_EQ(jitter["ms_p99"], 0.05);
  EXPECT_EQ(jitter["ms_max"], 0.25);
  EXPECT_EQ(jitter["buckets"][4]["frames"], 10);
  EXPECT_EQ(jitter["buckets"][4]["ms"], 0.3);
  EXPECT_TRUE(jitter["buckets"].back()["ms"].is_null());
}

TEST(StatusJson, TellsWhoHasTheSeatsOfAPool) {
  auto view = duo();
  view.submixes[0].pools = {
      {"clip", 3, {{telemetry::SeatPlace::queue, "clip to glow", 2}, {{}, "", 1}}}};
  const auto pool = nlohmann::json::parse(status_json(view))["submixes"][0]["pools"][0];
  EXPECT_EQ(pool["slot"], "clip");
  EXPECT_EQ(pool["capacity"], 3);
  EXPECT_EQ(pool["seats"][0]["place"], "queue");
  EXPECT_EQ(pool["seats"][0]["where"], "clip to glow");
  EXPECT_EQ(pool["seats"][0]["seats"], 2);
  EXPECT_EQ(pool["seats"][1]["place"], "free");
}

TEST(PoolsText, TellsWhoHasTheSeatsAndWhetherThatIsWhatThePoolSays) {
  using telemetry::SeatPlace;
  auto view = duo();
  EXPECT_EQ(pools_text(view), "");
  auto& pools = view.submixes[0].pools;
  pools = {
      {"clip", 4, {{SeatPlace::queue, "clip to glow", 2}, {SeatPlace::free, "", 2}}, 2, 0, true}};
  EXPECT_THAT(pools_text(view), HasSubstr("exact    2 in queue clip to glow, 2 free"));
  pools[0].is_steady = false;
  EXPECT_THAT(pools_text(view), HasSubstr("moves    2 in queue"));
  pools[0] = {"clip", 4, {{SeatPlace::stage, "glow", 2}, {SeatPlace::elsewhere, "", 2}},
              4,      0, true};
  EXPECT_THAT(pools_text(view),
              HasSubstr("off: 4 taken, 2 found  2 held by glow, 2 with no known holder"));
  pools[0].free_but_held = 1;
  EXPECT_THAT(pools_text(view), HasSubstr("off: 1 free, but in use"));
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

TEST(StatusText, RemarksALinkThatIsNotEncrypted) {
  auto view = duo();
  EXPECT_THAT(status_text(view), Not(HasSubstr("in the clear")));
  auto& link = view.streams[0].sender.links[1];
  link.protection = Protection::xxh3;
  link.warning = "MTU 1500 here";
  EXPECT_THAT(status_text(view), HasSubstr("in the clear; MTU 1500 here\n"));
  link.local = "shared memory";
  EXPECT_THAT(status_text(view), Not(HasSubstr("in the clear")));
  const auto links = nlohmann::json::parse(status_json(view))["streams"][0]["links"];
  EXPECT_EQ(links[0]["protection"], "AES-256-GCM");
  EXPECT_EQ(links[1]["protection"], "XXH3");
}

TEST(StatusText, RemarksWhatMakesALinkSlowUnlessItIsNotOpenAtAll) {
  auto view = duo();
  view.streams[0].sender.links[0].warning = "MTU 1500 here";
  EXPECT_THAT(status_text(view), HasSubstr("MTU 1500 here\n"));
  EXPECT_EQ(nlohmann::json::parse(status_json(view))["streams"][0]["links"][0]["warning"],
            "MTU 1500 here");
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
  EXPECT_THAT(status_text(view),
              AllOf(HasSubstr("\nstream \"left\": node mix took no frame for 500 ms\n"),
                    HasSubstr("  wait, detached, 12 skipped  0 ")));
  const auto json = nlohmann::json::parse(status_json(view))["streams"][0];
  EXPECT_EQ(json["policy"], "wait");
  EXPECT_EQ(json["sender"]["frames_skipped"], 12);
  EXPECT_EQ(json["sender"]["frames_copied"], 3);
  EXPECT_EQ(json["sender"]["detached"], "node mix took no frame for 500 ms");
}

TEST(Status, SaysWhichPerformerIsTooSlow) {
  auto view = duo();
  view.submixes[0].is_final = true;  // else there is no verdict
  auto& stream = view.streams[0];
  stream.policy = show::InputPolicy::hold;
  stream.receiver.is_current = true;
  stream.receiver.detached = "its frames have come 500 ms late in all";
  EXPECT_THAT(status_text(view),
              AllOf(HasSubstr("\nleft is held: "), HasSubstr("  hold, too slow  ")));
  const auto json = nlohmann::json::parse(status_json(view));
  EXPECT_EQ(json["bottleneck"]["held"][0]["stream"], "left");
  EXPECT_EQ(json["streams"][0]["receiver"]["detached"], stream.receiver.detached);
}

TEST(Status, TellsOfAStreamWhoseEndsAreOfTwoSizes) {
  auto view = duo();
  auto& stream = view.streams[0];
  stream.sender.size = stream.receiver.size = {640, 360};
  stream.sender.rate = stream.receiver.rate = {30, 1};
  EXPECT_THAT(status_text(view), Not(HasSubstr("stands still")));
  stream.receiver.node = stream.next_receiver.node = "mix";
  stream.next_receiver.size = std::exchange(stream.receiver.size, {320, 180});
  EXPECT_THAT(status_text(view),
              HasSubstr("\nstream \"left\" stands still: it is sent as 640x360 at 30 fps "
                        "(node left) and received as 320x180 at 30 fps (node mix)\n"));
  const auto json = nlohmann::json::parse(status_json(view))["streams"][0];
  EXPECT_EQ(json["receiver"]["size"], nlohmann::json({320, 180}));
  EXPECT_EQ(json["next_receiver"]["size"], nlohmann::json({640, 360}));
  EXPECT_TRUE(json["next_sender"].is_null());
}

TEST(StatusText, ShowsANodeThatNobodyHasHeardOf) {
  auto view = duo();
  view.nodes.push_back({});
  view.nodes[1].name = "mix";
  const auto absent = std::string(to_string(model::Health::absent));
  EXPECT_THAT(status_text(view), HasSubstr("mix   " + absent +
                                           "  -      -                -         -       -          "
                                           "     -         -         -     -\n"));
}

TEST(StatusText, ShowsNoFiguresOfANodeThatSaysNothing) {
  auto view = duo();
  view.nodes[0].health = model::Health::silent;
  view.nodes[0].uptime = 0s;
  EXPECT_THAT(
      status_text(view),
      HasSubstr(
          "left  silent  rack2  0.1.0      -         -       -     -         -         -   -\n"));
}

TEST(StatusText, SaysThatANodeSendsThoughItIsNotHeard) {
  auto view = duo();
  EXPECT_THAT(status_text(view), Not(HasSubstr("not been heard")));
  view.nodes[0].health = model::Health::unheard;
  view.nodes[0].silence = 12s;
  view.nodes[0].unheard_mb_per_second = 82.9;
  EXPECT_THAT(status_text(view), HasSubstr("left  unheard  rack2"));
  EXPECT_THAT(status_text(view),
              HasSubstr("node left has not been heard for 12 s, but its streams carry 82.9 MB/s"));
  const auto node = nlohmann::json::parse(status_json(view))["nodes"][0];
  EXPECT_EQ(node["health"], "unheard");
  EXPECT_EQ(node["unheard_mb_per_second"], 82.9);
}

TEST(Status, TellsTheGreatestRateThatTheNodeRemembers) {
  auto view = duo();
  auto& link = view.streams[0].sender.links.at(1);
  link.history = {1, 2};
  link.greatest_mb_per_second = 47.5;
  const auto told = nlohmann::json::parse(status_json(view))["streams"][0]["links"][1];
  EXPECT_EQ(told["best_mb_per_second"], 47.5);
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
  EXPECT_EQ(status["submixes"][0]["slots"][0]["frame_ms_p50"], 1.5);
  EXPECT_EQ(status["submixes"][0]["slots"][0]["frame_ms_p99"], 4.0);
  EXPECT_EQ(status["submixes"][0]["slots"][0]["frame_ms_max"], 20.0);
  EXPECT_EQ(status["submixes"][0]["slots"][0]["queues"][0]["frames"][0]["number"], 4711);
  EXPECT_EQ(status["submixes"][0]["slots"][0]["queues"][0]["frames"][0]["references"], 3);
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
