// SPDX-License-Identifier: GPL-3.0-or-later
#include "common/cluster/codec.hpp"

#include "tests/support/why.hpp"

#include <fmt/format.h>
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
          {{"left", SubmixState::failed, "plugin \"x\" is not here", true, true}},
          std::uint64_t{1} << 63,
          {{"EPSON PJ 24\"", -1920, 5, {1920, 1080}, 60}, {"EPSON PJ 24\" (2)", 0, 0, {}, 0}}};
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
  reading.submixes = {{"left",
                       {{"clip",
                         "clip",
                         7,
                         1ms,
                         2ms,
                         3ms,
                         {{"a", 1, 2, {{~std::uint64_t{0}, 3}}, 9, 7, 1}},
                         {{"lost", 0}}}},
                       7,
                       1}};
  reading.submixes[0].late_frame = 6;
  reading.submixes[0].jitter = {{1, 0, 2}, 60us};
  reading.submixes[0].jitter.frames.back() = 3;
  reading.submixes[0].pools = {
      {"clip", 3, {{telemetry::SeatPlace::queue, "clip to a", 2}, {{}, "", 1}}, 2, 1, true}};
  reading.submixes[0].delay = {7ms, 8ms, 9ms};
  reading.submixes[0].missed_frames = 5;
  reading.submixes[0].missed_frame = 4;
  reading.submixes[0].stages[0].frames_passed_by = 2;
  reading.submixes[0].stages[0].frame_time = {4ms, 5ms, 6ms};
  reading.submixes[0].stages[0].helpers = 3;
  reading.submixes[0].show_count = {900, 53850000123};
  telemetry::LinkReading link;
  link.index = 1;
  link.state = telemetry::LinkState::open;
  link.local = "127.0.0.1:1";
  link.warning = "MTU 1500 here, 9000 there";
  link.bytes = std::uint64_t{1} << 60;
  link.blocked = 9ns;
  link.stripes_damaged = 11;
  link.protection = Protection::aes_256_gcm;
  link.capacity_bytes_per_second = 117'000'000;
  link.greatest_bytes_per_second = 116'000'000;
  link.limit_bytes_per_second = 115'000'000;
  link.round_trip = 700us;
  link.segments_retransmitted = 21;
  link.bytes_retransmitted = 30'408;
  telemetry::StreamReading stream;
  stream.stream = "left";
  stream.is_sender = true;
  stream.size = {1280, 720};
  stream.rate = {30000, 1001};
  stream.is_former = true;
  stream.frames_copied = 12;
  stream.frames = 99;
  stream.frames_skipped = 17;
  stream.detached = "node b took no frame";
  stream.latency = {1ms, 2ms, 3ms};
  stream.round_trip = 200us;
  stream.clock_offset = -5s;
  stream.links = {link};
  stream.frames_unsent = 2;
  stream.frames_left_over = 3;
  stream.frames_forgotten = 4;
  stream.epochs = {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14}};
  reading.streams = {stream};
  reading.machine = {
      {1s, 0s, 3s}, 16'000'000'000, 9'000'000'000, {{"enp1s0", std::uint64_t{1} << 50, 7}}};
  reading.realtime = {true, "thread left.clip computed for 500 ms"};
  reading.sound = {true, {0.1, 0.2, 0.3, 0.4, 0.5}, "no card", {127.9, 0.6, 3s}};
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
            {"on", "switch", "", true, 0, 1, {}}},
           "",
           "none"},
          {.id = "frei0r/crash", .refused_because = "it crashed"}};
}

// Visits a valid example of each message that can be decoded.
template <typename Visit>
void for_each_message(Visit visit) {
  visit(DesiredShow{"[show]\nname = \"é\"", "me"});
  visit(DesiredTransport{true, 7, "me"});
  visit(AlertsSeen{{"node left", "link 1 of right"}});
  visit(report());
  visit(Event{"left", Severity::fault, "left.clip", "gone"});
  visit(Command{CommandKind::plugins, "left", "clip", 320});
  visit(Command{CommandKind::trace, "", "", 0, "a1", 2, 5});
  visit(plugins());
  visit(MediaList{{{"rain/drops.mp4", 2'500'000}}, true});
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
  const auto submix = decode<telemetry::NodeReading>(encode(reading()))->submixes[0];
  EXPECT_EQ(submix.jitter, reading().submixes[0].jitter);
  EXPECT_EQ(submix.pools.at(0).seats, reading().submixes[0].pools[0].seats);
  EXPECT_EQ(submix.pools[0].taken, 2U);
  EXPECT_EQ(submix.pools[0].free_but_held, 1U);
  EXPECT_TRUE(submix.pools[0].is_steady);
  EXPECT_EQ(submix.delay, reading().submixes[0].delay);
  EXPECT_EQ(submix.missed_frames, 5U);
  EXPECT_EQ(submix.missed_frame, 4U);
  EXPECT_EQ(submix.stages[0].frames_passed_by, 2U);
  EXPECT_EQ(submix.stages[0].queues[0].frames_dropped, 1U);
  EXPECT_EQ(submix.show_count, reading().submixes[0].show_count);
  const auto& stage = submix.stages[0];
  EXPECT_EQ(stage.frame_time, reading().submixes[0].stages[0].frame_time);
  EXPECT_EQ(stage.helpers, 3U);
  EXPECT_EQ(stage.queues[0].frames, (std::vector<telemetry::QueuedFrame>{{~std::uint64_t{0}, 3}}));
  const auto link = decode<telemetry::NodeReading>(encode(reading()))->streams[0].links[0];
  EXPECT_EQ(link.bytes, std::uint64_t{1} << 60);
  EXPECT_EQ(link.warning, "MTU 1500 here, 9000 there");
  EXPECT_EQ(link.stripes_damaged, 11U);
  EXPECT_EQ(link.protection, Protection::aes_256_gcm);
  EXPECT_EQ(link.round_trip, 700us);
  EXPECT_EQ(link.segments_retransmitted, 21U);
  EXPECT_EQ(link.bytes_retransmitted, 30'408U);
  EXPECT_EQ(decode<telemetry::NodeReading>(encode(reading()))->machine, reading().machine);
}

TEST(Codec, TellsALostRightToRealTime) {
  EXPECT_EQ(decode<telemetry::NodeReading>(encode(reading()))->realtime, reading().realtime);
  const auto old = decode<telemetry::NodeReading>(R"({"node": "a"})");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->realtime, telemetry::RealtimeReading());
}

TEST(Codec, TellsHowLoudTheSoundIs) {
  EXPECT_EQ(decode<telemetry::NodeReading>(encode(reading()))->sound, reading().sound);
  auto troubled = reading();
  troubled.sound.trouble = std::string(20'000, 'x');
  EXPECT_TRUE(decode<telemetry::NodeReading>(encode(troubled)))
      << "a node that is in trouble is seen";
  const HeardSound heard{"desk", {0.1, 0.2, 0.3, 0.4, 0.5}};
  EXPECT_EQ(decode<HeardSound>(encode(heard)), heard);
  EXPECT_FALSE(decode<HeardSound>(R"({"sound": {}})")) << "nobody says so";
  EXPECT_FALSE(decode<HeardSound>(R"({"node": "desk", "sound": {"bass": "loud"}})"));
}

TEST(Codec, ReadsTelemetryFromBeforeTheTempoWasHeard) {
  const auto old = decode<telemetry::NodeReading>(
      R"({"node": "a", "sound": {"is_listening": true, "sound": {"bass": 0.5}}})");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->sound.sound.bass, 0.5);
  EXPECT_EQ(old->sound.tempo, HeardTempo());
  EXPECT_FALSE(decode<telemetry::NodeReading>(
      R"({"node": "a", "sound": {"tempo": {"beats_per_minute": "fast"}}})"));
}

TEST(Codec, ReadsTelemetryFromBeforeMachinesWereTold) {
  const auto old =
      decode<telemetry::NodeReading>(R"({"node": "a", "streams": [{"links": [{"bytes": 7}]}]})");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->machine, telemetry::MachineReading());
  EXPECT_EQ(old->streams[0].links[0].round_trip, 0ns);
}

TEST(Codec, RefusesAMachineThatCannotBe) {
  for (const std::string_view bad :
       {R"([])", R"("x")", R"({"cores_busy_ns": 7})", R"({"cores_busy_ns": [1, null]})",
        R"({"cores_busy_ns": [1.5]})", R"({"cores_busy_ns": [1e400]})",
        R"({"cores_busy_ns": [18446744073709551615]})", R"({"memory_bytes": -1})",
        R"({"memory_bytes": NaN})", R"({"cards": [{"bytes_sent": -7}]})"}) {
    EXPECT_FALSE(
        decode<telemetry::NodeReading>(fmt::format(R"({{"node": "a", "machine": {}}})", bad)))
        << bad;
  }
  std::string cores = "0";
  for (int i = 0; i < 10'000; ++i)
    cores += ",0";
  EXPECT_THAT(why(decode<telemetry::NodeReading>(
                  fmt::format(R"({{"node": "a", "machine": {{"cores_busy_ns": [{}]}}}})", cores))),
              HasSubstr("\"cores_busy_ns\" is not a list, or is too long"));
}

TEST(Codec, IgnoresUnknownFieldsAndLeavesMissingOnesInitial) {
  const auto transport =
      decode<DesiredTransport>(R"({"tempo": 120, "is_paused": true, "author": null})");
  ASSERT_TRUE(transport);
  EXPECT_EQ(*transport, (DesiredTransport{true, 0, ""}));
}

TEST(Codec, ReadsAReportFromBeforeEndpointsHadSpeeds) {
  const auto old = decode<NodeReport>(
      R"({"node": "a", "endpoints": [{"address": "10.0.0.1", "prefix_length": 24, "port": 1, "mtu_bytes": 1500,
          "is_up": true}]})");
  ASSERT_TRUE(old) << old.error().message;
  EXPECT_EQ(old->endpoints, (std::vector<DataEndpoint>{{"10.0.0.1", 24, 1, 1500, true, 0, 0}}));
  EXPECT_EQ(old->epoch, 0U);
  EXPECT_TRUE(old->displays.empty());
}

TEST(Codec, BoundsTheDisplaysOfAReport) {
  const auto report = [](std::size_t count, const std::string& name) {
    std::string displays;
    for (std::size_t i = 0; i < count; ++i)
      displays += fmt::format(R"({}{{"name": "{}"}})", i == 0 ? "" : ",", name);
    return decode<NodeReport>(R"({"node": "a", "displays": [)" + displays + "]}");
  };
  EXPECT_EQ(report(kDisplaysMax, "PJ")->displays.size(), kDisplaysMax);
  EXPECT_THAT(why(report(kDisplaysMax + 1, "PJ")), HasSubstr("\"displays\""));
  EXPECT_TRUE(report(1, std::string(kDisplayNameBytesMax, 'x')));
  EXPECT_FALSE(report(1, std::string(kDisplayNameBytesMax + 1, 'x')));
  EXPECT_EQ(report(1, "a\\u001b[2Jb")->displays[0].name, "a\uFFFD[2Jb");
  EXPECT_FALSE(decode<NodeReport>(R"({"node": "a", "displays": [{"width": "wide"}]})"));
}

TEST(Codec, CountsFramesOfBucketsThatItDoesNotKnowInTheNextOnes) {
  const auto other = decode<telemetry::NodeReading>(
      R"({"node": "a", "submixes": [{"jitter": [[1, 5], [60, 7], [4000000000, 2], [0, 1]]}]})");
  ASSERT_TRUE(other) << other.error().message;
  telemetry::JitterReading expected{{5, 0, 7}, 0ns};
  expected.frames.back() = 3;
  EXPECT_EQ(other->submixes[0].jitter, expected);
}

TEST(Codec, NamesTheFieldThatIsWrong) {
  EXPECT_EQ(why(decode<DesiredTransport>(R"({"steps": -1})")),
            "transport: field \"steps\" is not a whole number in its range");
  for (const std::string_view bad :
       {R"({"steps": 1.5})", R"({"steps": 1e30})", R"({"steps": "1"})", R"({"is_paused": 1})",
        R"({"author": []})", R"({"steps": 99999999999999999999999})"}) {
    EXPECT_FALSE(decode<DesiredTransport>(bad)) << bad;
  }
  for (const std::string_view frames :
       {"[[1]]", "[[-1, 1]]", "[[1, 4294967296]]", "[1]", "[[1, 2, 3]]", "7"}) {
    const auto bad = fmt::format(
        R"({{"node": "a", "submixes": [{{"stages": [{{"queues": [{{"frames": {}}}]}}]}}]}})",
        frames);
    EXPECT_THAT(why(decode<telemetry::NodeReading>(bad)), HasSubstr("\"frames\"")) << frames;
  }
  EXPECT_THAT(why(decode<NodeReport>("{}")), HasSubstr("\"node\" is missing"));
  EXPECT_FALSE(decode<NodeReport>(R"({"node": "a", "endpoints": [{"port": 65536}]})"));
  EXPECT_FALSE(decode<NodeReport>(R"({"node": "a", "endpoints": [7]})"));
  EXPECT_FALSE(decode<Command>(R"({"kind": "format"})"));
  EXPECT_FALSE(
      decode<std::vector<PluginSummary>>(R"({"plugins": [{"parameters": [{"initial": {}}]}]})"));
  EXPECT_FALSE(
      decode<std::vector<PluginSummary>>(R"({"plugins": [{"parameters": [{"initial": ["x"]}]}]})"));
}

TEST(Codec, TakesAParametersTextAsPlainAndNotTooLong) {
  const auto plugins = [](const std::string& initial) {
    return decode<std::vector<PluginSummary>>(R"({"plugins": [{"parameters": [{"initial": ")" +
                                              initial + R"("}]}]})");
  };
  const auto read = plugins("a\\u001b[2Jb");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->front().parameters.front().initial, show::ParameterValue("a\uFFFD[2Jb"));
  EXPECT_TRUE(plugins(std::string(4096, 'x')));
  EXPECT_FALSE(plugins(std::string(4097, 'x')));
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

TEST(Codec, RefusesJsonThatNestsTooDeep) {
  const auto nested =
      R"({"author": "a", "x": )" + std::string(40, '[') + std::string(40, ']') + "}";
  EXPECT_THAT(why(decode<DesiredTransport>(nested)), HasSubstr("nested too deep"));
  const auto text = R"({"author": ")" + std::string(40, '[') + R"(\"{"})";
  EXPECT_TRUE(decode<DesiredTransport>(text));
}

TEST(Codec, AnswersAnObjectOfAHundredThousandMembersAtOnce) {
  std::string text = R"({"author": "a")";
  for (int i = 0; i < 100'000; ++i)
    text += fmt::format(",\"{:x}\":0", i);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(why(decode<DesiredTransport>(text + "}")), HasSubstr("too many members"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 2s);
}

TEST(Codec, CutsTheTextOfAnEventThatNobodyWouldReadElse) {
  const auto event =
      decode<Event>(encode(Event{"left", Severity::fault, "show", std::string(100'000, 'x')}));
  ASSERT_TRUE(event) << event.error().message;
  EXPECT_GT(event->text.size(), 4000U);
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
  EXPECT_EQ(
      decode_plugins_reply(encode_reply(Result<std::vector<PluginSummary>>(plugins())))->size(),
      3U);
}

TEST(Codec, KeepsPartsOfATrace) {
  const auto part = decode_trace_reply(encode_reply(Result<TracePart>(TracePart{3, "{\n\"a\""})));
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->parts, 3U);
  EXPECT_EQ(part->text, "{\n\"a\"");
  EXPECT_EQ(why(decode_trace_reply(encode_reply(Result<TracePart>(fail("no"))))), "no");
  for (const std::string bad :
       {"{\"ok\":true}\n", "{\"ok\":true,\"parts\":257}\nx", "{\"ok\":true,\"parts\":-1}\nx"})
    EXPECT_FALSE(decode_trace_reply(bad)) << bad;
}

TEST(Codec, KeepsWhatANodeCannotRun) {
  const std::vector<SubmixFault> faults{{"left", "clip", "there is no such file"},
                                        {"", "", "no memory"}};
  const auto decoded = decode_check_reply(encode_reply(Result<std::vector<SubmixFault>>(faults)));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, faults);
}

TEST(Codec, KeepsAPreviewAsJpeg) {
  const Snapshot preview{{320, 180}, 42, {}, "jpeg's bytes"};
  const auto again = decode_snapshot_reply(encode_reply(Result<Snapshot>(preview)));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->size, preview.size);
  EXPECT_EQ(again->jpeg, preview.jpeg);
  EXPECT_TRUE(again->rgb24.empty());
  auto bytes = encode_reply(Result<Snapshot>(preview));
  bytes.resize(bytes.find('\n') + 1);
  EXPECT_FALSE(decode_snapshot_reply(bytes)) << "without its bytes";
}

TEST(Codec, KeepsTheShowOfACheck) {
  Command command;
  command.kind = CommandKind::check;
  command.show = "name = \"x\"";
  command.is_whole = true;
  const auto decoded = decode<Command>(encode(command));
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->kind, CommandKind::check);
  EXPECT_EQ(decoded->show, command.show);
  EXPECT_TRUE(decoded->is_whole);
}

TEST(Codec, KeepsAMediaPictureAndItsQuestion) {
  Command command;
  command.kind = CommandKind::media_picture;
  command.file = "rain/drops.mp4";
  command.at = 0.25;
  const auto asked = decode<Command>(encode(command));
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_EQ(asked->kind, CommandKind::media_picture);
  EXPECT_EQ(asked->file, "rain/drops.mp4");
  EXPECT_EQ(asked->at, 0.25);

  const MediaPicture picture{"\xff\n\xd8", {{1920, 1080}, 12.5, 29.97, "h264", 2.4}};
  const auto again = decode_media_picture_reply(encode_reply(Result<MediaPicture>(picture)));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->jpeg, picture.jpeg);
  EXPECT_EQ(again->facts, picture.facts);
  const auto refused = decode_media_picture_reply(
      encode_reply(Result<MediaPicture>(fail("a.mp4: there is no such file"))));
  EXPECT_EQ(why(refused), "a.mp4: there is no such file");
}

TEST(Codec, CarriesARefusalAsAReply) {
  EXPECT_EQ(why(decode_snapshot_reply(encode_reply(Result<Snapshot>(fail("no such slot"))))),
            "no such slot");
  EXPECT_EQ(why(decode_plugins_reply(encode_reply(Result<std::vector<PluginSummary>>(fail("no"))))),
            "no");
}

TEST(Codec, RefusesPicturesThatDoNotAddUp) {
  for (const std::string bad : {"", "\n", "{}\n", "{\"ok\":true}", "{\"ok\":true}\n",
                                "{\"ok\":true,\"width\":2,\"height\":1}\n12345",
                                "{\"ok\":true,\"width\":-2,\"height\":-1}\n123456",
                                "{\"ok\":true,\"width\":2000000,\"height\":2000000}\n123"}) {
    EXPECT_FALSE(decode_snapshot_reply(bad)) << bad;
  }
}

}  // namespace
}  // namespace submix::cluster
