// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace submix::cluster {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

NodeReport report() {
  return {"left",
          "rack2",
          "0.1.0",
          "f00",
          8,
          12,
          {{"enp1s0", "10.0.0.1", 24, 1500, 2500, true, 10000}},
          {{"10.0.0.1", 24, 40000, 1500, false, 1000, 2500}},
          {"boot/1", "submix-ab"},
          {{"left", SubmixState::failed, "plugin \"x\" is not here"}}};
}

telemetry::NodeReading reading() {
  telemetry::NodeReading reading;
  reading.node = "left";
  reading.instance = "f00";
  reading.sequence = ~std::uint64_t{0};
  reading.uptime = 5s;
  reading.is_paused = true;
  reading.cpu = 3ms;
  reading.memory_bytes = 123;
  reading.page_faults = 45;
  reading.allocations = 46;
  reading.submixes = {{"left", {{"clip", "clip", 7, 1ms, 2ms, 3ms, {{"a", 1, 2}}, {{"lost", 0}}}}, 7, 1}};
  telemetry::LinkReading link;
  link.index = 1;
  link.state = telemetry::LinkState::open;
  link.local = "127.0.0.1:1";
  link.warning = "MTU 1500 here, 9000 there";
  link.bytes = std::uint64_t{1} << 60;
  link.blocked = 9ns;
  link.stripes_damaged = 11;
  telemetry::StreamReading stream;
  stream.stream = "left";
  stream.is_sender = true;
  stream.frames_copied = 12;
  stream.frames = 99;
  stream.frames_skipped = 17;
  stream.detached = "node b took no frame";
  stream.latency = {1ms, 2ms, 3ms};
  stream.round_trip = 200us;
  stream.clock_offset = -5s;
  stream.links = {link};
  reading.streams = {stream};
  return reading;
}

std::vector<PluginSummary> plugins() {
  return {{"clip",
           "source",
           "plays a file",
           "us",
           {{"file", "text", "which", std::string("x"), 0, 1, {"x", "y"}}}},
          {"frei0r/glow",
           "filter",
           "",
           "",
           {{"tint", "color", "", std::vector<double>{1, 0.5, 0}, 0, 1, {}},
            {"on", "switch", "", true, 0, 1, {}}}}};
}

// Each message that can be decoded, as its kind and a valid example.
template <typename Visit>
void for_each_message(Visit visit) {
  visit(DesiredShow{"[show]\nname = \"é\"", "me"});
  visit(DesiredTransport{true, 7, "me"});
  visit(report());
  visit(Event{"left", Severity::fault, "left.clip", "gone"});
  visit(Command{CommandKind::plugins, "left", "clip", 320});
  visit(plugins());
  visit(reading());
}

TEST(Codec, KeepsEveryMessage) {
  for_each_message([](const auto& message) {
    using Message = std::decay_t<decltype(message)>;
    const auto text = encode(message);
    const auto again = decode<Message>(text);
    ASSERT_TRUE(again) << again.error().message << text;
    EXPECT_EQ(encode(*again), text);
  });
  EXPECT_EQ(*decode<NodeReport>(encode(report())), report());
  const auto link = decode<telemetry::NodeReading>(encode(reading()))->streams[0].links[0];
  EXPECT_EQ(link.bytes, std::uint64_t{1} << 60);
  EXPECT_EQ(link.warning, "MTU 1500 here, 9000 there");
  EXPECT_EQ(link.stripes_damaged, 11U);
}

TEST(Codec, IgnoresUnknownFieldsAndLeavesMissingOnesInitial) {
  const auto transport = decode<DesiredTransport>(R"({"tempo": 120, "is_paused": true, "author": null})");
  ASSERT_TRUE(transport);
  EXPECT_EQ(*transport, (DesiredTransport{true, 0, ""}));
}

TEST(Codec, ReadsAReportFromBeforeEndpointsHadSpeeds) {
  const auto old = decode<NodeReport>(
      R"({"node": "a", "endpoints": [{"address": "10.0.0.1", "prefix_length": 24, "port": 1, "mtu_bytes": 1500,
          "is_up": true}]})");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->endpoints, (std::vector<DataEndpoint>{{"10.0.0.1", 24, 1, 1500, true, 0, 0}}));
}

TEST(Codec, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(decode<DesiredTransport>(R"({"steps": -1})").error().message,
            "transport: field \"steps\" is not a whole number in its range");
  for (const std::string_view bad :
       {R"({"steps": 1.5})", R"({"steps": 1e30})", R"({"steps": "1"})", R"({"is_paused": 1})",
        R"({"author": []})", R"({"steps": 99999999999999999999999})"}) {
    EXPECT_FALSE(decode<DesiredTransport>(bad)) << bad;
  }
  EXPECT_THAT(decode<NodeReport>("{}").error().message, HasSubstr("\"node\" is missing"));
  EXPECT_FALSE(decode<NodeReport>(R"({"node": "a", "endpoints": [{"port": 65536}]})"));
  EXPECT_FALSE(decode<NodeReport>(R"({"node": "a", "endpoints": [7]})"));
  EXPECT_FALSE(decode<Command>(R"({"kind": "format"})"));
  EXPECT_FALSE(decode<std::vector<PluginSummary>>(R"({"plugins": [{"parameters": [{"initial": {}}]}]})"));
  EXPECT_FALSE(decode<std::vector<PluginSummary>>(R"({"plugins": [{"parameters": [{"initial": ["x"]}]}]})"));
}

TEST(Codec, BoundsListsAndTexts) {
  std::string links = R"({"node": "a", "streams": [{"links": [{})";
  for (int i = 0; i < 100; ++i)
    links += ",{}";
  EXPECT_FALSE(decode<telemetry::NodeReading>(links + "]}]}"));
  EXPECT_FALSE(decode<Event>(R"({"text": ")" + std::string(5000, 'x') + "\"}"));
  EXPECT_FALSE(decode<DesiredShow>(std::string(kMessageBytesMax + 1, ' ')));
}

TEST(Codec, RefusesWhatIsNoJsonObject) {
  for (const std::string_view bad :
       {"", "{", "[]", "null", "7", "\"x\"", "{}}", "\xff\xfe", "{\"steps\":}"}) {
    EXPECT_FALSE(decode<DesiredTransport>(bad)) << bad;
  }
  EXPECT_FALSE(decode<DesiredTransport>(std::string(1 << 19, '[')));
  EXPECT_FALSE(decode<DesiredTransport>(R"({"author": )" + std::string(1 << 19, '[') +
                                        std::string(1 << 19, ']') + "}"));
}

TEST(Codec, MakesValidJsonOfTextThatIsNotUtf8) {
  const auto event = decode<Event>(encode(Event{"left", Severity::note, "a\xff", "b"}));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->about, "a\xEF\xBF\xBD");
}

TEST(Codec, SurvivesEveryCutAndRandomDamage) {
  std::mt19937 random(7);
  for_each_message([&](const auto& message) {
    using Message = std::decay_t<decltype(message)>;
    const auto text = encode(message);
    for (std::size_t bytes = 0; bytes < text.size(); ++bytes)
      EXPECT_FALSE(decode<Message>(text.substr(0, bytes)));
    for (int i = 0; i < 2000; ++i) {
      auto damaged = text;
      for (int k = 0; k < 3; ++k)
        damaged[random() % damaged.size()] = "0-\"[]{}:,eE.x\xff"[random() % 14];
      const auto decoded = decode<Message>(damaged);
      EXPECT_TRUE(decoded || !decoded.error().message.empty());
    }
  });
}

TEST(Codec, KeepsRepliesWithTheirPixels) {
  const Snapshot picture{{2, 1}, 42, std::string("\0\n\xff{}\"", 6)};
  const auto again = decode_snapshot_reply(encode_reply(Result<Snapshot>(picture)));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->size, picture.size);
  EXPECT_EQ(again->frame, 42U);
  EXPECT_EQ(again->rgb24, picture.rgb24);
  EXPECT_EQ(decode_plugins_reply(encode_reply(Result<std::vector<PluginSummary>>(plugins())))->size(), 2U);
}

TEST(Codec, CarriesARefusalAsAReply) {
  EXPECT_EQ(decode_snapshot_reply(encode_reply(Result<Snapshot>(fail("no such slot")))).error().message,
            "no such slot");
  EXPECT_EQ(
      decode_plugins_reply(encode_reply(Result<std::vector<PluginSummary>>(fail("no")))).error().message,
      "no");
}

TEST(Codec, RefusesPicturesThatDoNotAddUp) {
  for (const std::string bad :
       {"", "\n", "{}\n", "{\"ok\":true}", "{\"ok\":true}\n", "{\"ok\":true,\"width\":2,\"height\":1}\n12345",
        "{\"ok\":true,\"width\":-2,\"height\":-1}\n123456",
        "{\"ok\":true,\"width\":2000000,\"height\":2000000}\n123"}) {
    EXPECT_FALSE(decode_snapshot_reply(bad)) << bad;
  }
}

}  // namespace
}  // namespace submix::cluster
