// SPDX-License-Identifier: GPL-3.0-or-later
// The exact JSON of each message. Programs of other versions read it, so it must not change.
#include "common/cluster/codec.hpp"

#include <gtest/gtest.h>

namespace submix::cluster {
namespace {

using namespace std::chrono_literals;

telemetry::StageReading stage() {
  telemetry::StageReading stage;
  stage.slot = "glow";
  stage.plugin = "frei0r/glow";
  stage.helpers = 2;
  stage.frames = 3;
  stage.working = 4ns;
  stage.starved = 5ns;
  stage.blocked = 6ns;
  stage.queues = {{"clip", 7, 8, {{9, 10}, {11, 12}}, 13, 14, 15}};
  stage.counters = {{"lost", 16}};
  stage.trouble = "it crashed";
  stage.frame_time = {17ns, 18ns, 19ns};
  stage.frames_passed_by = 20;
  return stage;
}

telemetry::SubmixReading submix() {
  telemetry::SubmixReading submix;
  submix.name = "left";
  submix.stages = {stage()};
  submix.frames = 21;
  submix.late_frames = 22;
  submix.late_frame = 23;
  submix.missed_frames = 24;
  submix.missed_frame = 25;
  submix.jitter.frames.front() = 26;
  submix.jitter.frames.back() = 27;
  submix.jitter.max = 28ns;
  submix.delay = {281ns, 282ns, 283ns};
  submix.show_count = {29, 53850000123};
  submix.pools = {{"clip", 30, {{telemetry::SeatPlace::tap, "clip", 31}}, 32, 33, true}};
  return submix;
}

telemetry::LinkReading link() {
  telemetry::LinkReading link;
  link.index = 34;
  link.state = telemetry::LinkState::refused;
  link.local = "198.18.0.1:40000";
  link.remote = "198.18.0.2:40001";
  link.error = "refused";
  link.warning = "slow";
  link.bytes = 35;
  link.stripes = 36;
  link.queue_bytes = 37;
  link.queue_limit_bytes = 38;
  link.capacity_bytes_per_second = 39;
  link.greatest_bytes_per_second = 40;
  link.limit_bytes_per_second = 41;
  link.sending = 42ns;
  link.blocked = 43ns;
  link.idle = 44ns;
  link.reconnects = 45;
  link.stripes_damaged = 46;
  link.protection = Protection::chacha20_poly1305;
  link.round_trip = 47ns;
  link.segments_retransmitted = 48;
  link.bytes_retransmitted = 49;
  return link;
}

telemetry::StreamReading stream() {
  telemetry::StreamReading stream;
  stream.stream = "left";
  stream.peer = "mix";
  stream.is_sender = true;
  stream.size = {1280, 720};
  stream.rate = {30000, 1001};
  stream.is_former = true;
  stream.epoch = 50;
  stream.frames = 51;
  stream.frames_produced = 52;
  stream.frames_dropped = 53;
  stream.frames_duplicated = 54;
  stream.frames_skipped = 55;
  stream.frames_unsent = 56;
  stream.frames_left_over = 57;
  stream.frames_copied = 58;
  stream.detached = "too late";
  stream.frames_queued = 59;
  stream.credits = 60;
  stream.blocked = 61ns;
  stream.latency = {62ns, 63ns, 64ns};
  stream.round_trip = 65ns;
  stream.clock_offset = -66ns;
  stream.links = {link()};
  stream.epochs = {{67, 68, 69, 70, 71, 72, 73}};
  stream.frames_forgotten = 74;
  return stream;
}

telemetry::NodeReading golden_reading() {
  telemetry::NodeReading reading;
  reading.node = "stage";
  reading.instance = "f00";
  reading.sequence = ~std::uint64_t{0};
  reading.uptime = 75ns;
  reading.is_paused = true;
  reading.cpu = 76ns;
  reading.memory_bytes = 77;
  reading.page_faults = 78;
  reading.allocations = 79;
  reading.submixes = {submix()};
  reading.streams = {stream()};
  reading.machine = {{80ns, 81ns}, 82, 83, {{"enp1s0", 84, 85}}};
  reading.realtime = {true, "thread net"};
  reading.sound = {true, {0.5, 0.25, 0.125, 1.0, 0.0}, "no card", {128.5, 0.75, 86ns}};
  return reading;
}

NodeReport golden_report() {
  return {"left",
          "rack2",
          "0.1.0",
          "f00",
          8,
          12,
          {{"enp1s0", "10.0.0.1", 24, 1500, 2500, true, 10000}},
          {{"10.0.0.1", 24, 40000, 1500, false, 1000, 2500}},
          {"boot/1", "submix-ab"},
          {{"left", SubmixState::failed, "no such plugin", true, false}},
          std::uint64_t{1} << 63,
          {{"EPSON PJ", -1920, 5, {1920, 1080}, 60}},
          {{"video0", "HD Webcam"}},
          {{"hw:1,0", "Mic"}},
          {{"video10", "Submix"}},
          "5a5a"};
}

std::vector<PluginSummary> golden_plugins() {
  return {{"clip",
           "source",
           "plays a file",
           "us",
           {{"file", "text", "which", std::string("x"), 0, 1, {"x", "y"}},
            {"tint", "color", "", std::vector<double>{1, 0.5, 0}, 0.5, 2, {}},
            {"count", "number", "", 3.0, 0, 9, {}, true},
            {"on", "switch", "", true, 0, 1, {}}},
           "",
           "none"},
          {.id = "frei0r/crash", .refused_because = "it crashed"}};
}

Command command() {
  Command command;
  command.kind = CommandKind::trace;
  command.submix = "left";
  command.slot = "clip";
  command.width_max = 320;
  command.token = "a1";
  command.part = 2;
  command.seconds = 5;
  command.show = "[show]";
  command.is_whole = true;
  command.is_preview = true;
  command.file = "rain.mp4";
  command.at = 0.5;
  command.offset = 524288;
  command.from = "right";
  command.is_stop = true;
  command.plugin = "frei0r/glow";
  return command;
}

// Writes `message` as `golden`, and reads the golden text back without loss.
template <typename Message>
void expect_golden(const Message& message, std::string_view golden) {
  EXPECT_EQ(encode(message), golden);
  const auto decoded = decode<Message>(golden);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(encode(*decoded), golden);
}

TEST(CodecGolden, KeepsAReading) {
  constexpr std::string_view kGolden =
      R"({"node":"stage","instance":"f00","sequence":18446744073709551615,"uptime_ns":75,)"
      R"("is_paused":true,"cpu_ns":76,"memory_bytes":77,"page_faults":78,"allocations":79,)"
      R"("submixes":[{"name":"left","stages":[{"slot":"glow","plugin":"frei0r/glow",)"
      R"("helpers":2,"frames":3,"working_ns":4,"starved_ns":5,"blocked_ns":6,)"
      R"("queues":[{"from":"clip","size":7,"capacity":8,"frames":[[9,10],[11,12]],)"
      R"("frames_put":13,"frames_taken":14,"frames_dropped":15}],"counters":[{"name":"lost",)"
      R"("count":16}],"trouble":"it crashed","frame_time_p50_ns":17,"frame_time_p99_ns":18,)"
      R"("frame_time_max_ns":19,"frames_passed_by":20}],"frames":21,"late_frames":22,)"
      R"("late_frame":23,)"
      R"("missed_frames":24,"missed_frame":25,"jitter":[[20,26],[0,27]],"jitter_max_ns":28,)"
      R"("delay_p50_ns":281,"delay_p99_ns":282,"delay_max_ns":283,)"
      R"("show_count":{"since_frame":29,"number":53850000123},"pools":[{"slot":"clip",)"
      R"("capacity":30,"taken":32,)"
      R"("free_but_held":33,"seats":[{"place":"tap","where":"clip","seats":31}],)"
      R"("is_steady":true}]}],"streams":[{"stream":"left","peer":"mix","is_sender":true,)"
      R"("width":1280,"height":720,"rate_numerator":30000,"rate_denominator":1001,)"
      R"("is_former":true,"epoch":50,"frames":51,"frames_produced":52,"frames_dropped":53,)"
      R"("frames_duplicated":54,"frames_copied":58,"frames_skipped":55,"detached":"too late",)"
      R"("frames_queued":59,"frames_unsent":56,"frames_left_over":57,"frames_forgotten":74,)"
      R"("credits":60,"blocked_ns":61,"latency_p50_ns":62,"latency_p99_ns":63,)"
      R"("latency_max_ns":64,"round_trip_ns":65,"clock_offset_ns":-66,"links":[{"index":34,)"
      R"("state":"refused","local":"198.18.0.1:40000","remote":"198.18.0.2:40001",)"
      R"("error":"refused","warning":"slow","bytes":35,"stripes":36,"queue_bytes":37,)"
      R"("queue_limit_bytes":38,"capacity_bytes_per_second":39,)"
      R"("greatest_bytes_per_second":40,"limit_bytes_per_second":41,"sending_ns":42,)"
      R"("blocked_ns":43,"idle_ns":44,"reconnects":45,"stripes_damaged":46,)"
      R"("protection":"ChaCha20-Poly1305","round_trip_ns":47,"segments_retransmitted":48,"bytes_retransmitted":49}],)"
      R"("epochs":[{"epoch":67,"first_frame":68,"next_frame":69,"frames_lost":70,)"
      R"("frames_acknowledged":71,"frames_skipped":72,"frames_skipped_detached":73}]}],)"
      R"("machine":{"cores_busy_ns":[80,81],"memory_bytes":82,"memory_available_bytes":83,)"
      R"("cards":[{"name":"enp1s0","bytes_received":84,"bytes_sent":85}]},)"
      R"("realtime":{"is_lost":true,"reason":"thread net"},)"
      R"("sound":{"is_listening":true,"sound":{"level":0.5,"bass":0.25,"mids":0.125,)"
      R"("highs":1.0,"onset":0.0},"trouble":"no card","tempo":{"beats_per_minute":128.5,)"
      R"("confidence":0.75,"last_beat_ns":86}}})";
  expect_golden(golden_reading(), kGolden);
}

TEST(CodecGolden, KeepsAReport) {
  constexpr std::string_view kGolden =
      R"({"node":"left","host":"rack2","version":"0.1.0","instance":"f00","cores":8,)"
      R"("show_revision":12,"interfaces":[{"name":"enp1s0","address":"10.0.0.1",)"
      R"("prefix_length":24,"mtu_bytes":1500,"speed_mbit":2500,"is_up":true,)"
      R"("speed_max_mbit":10000}],"endpoints":[{"address":"10.0.0.1","prefix_length":24,)"
      R"("port":40000,"mtu_bytes":1500,"is_up":false,"speed_mbit":1000,)"
      R"("speed_max_mbit":2500}],"machine":"boot/1","local_socket":"submix-ab",)"
      R"("submixes":[{"name":"left","state":"failed","error":"no such plugin",)"
      R"("awaits_first_frame":true,"has_trouble":false}],"epoch":9223372036854775808,)"
      R"("displays":[{"name":"EPSON PJ","x":-1920,"y":5,"width":1920,"height":1080,)"
      R"("refresh_hz":60}],"capture_devices":[{"device":"video0","name":"HD Webcam"}],)"
      R"("sound_devices":[{"device":"hw:1,0","name":"Mic"}],)"
      R"("loopback_devices":[{"device":"video10","name":"Submix"}],"identity":"5a5a"})";
  expect_golden(golden_report(), kGolden);
}

TEST(CodecGolden, KeepsPlugins) {
  constexpr std::string_view kGolden =
      R"({"plugins":[{"id":"clip","kind":"source","explanation":"plays a file","author":"us",)"
      R"("memory":"none","parameters":[{"name":"file","type":"text","explanation":"which",)"
      R"("initial":"x","minimum":0.0,"maximum":1.0,"choices":["x","y"],"integer":false},)"
      R"({"name":"tint","type":"color","explanation":"","initial":[1.0,0.5,0.0],)"
      R"("minimum":0.5,"maximum":2.0,"choices":[],"integer":false},{"name":"count",)"
      R"("type":"number","explanation":"","initial":3.0,"minimum":0.0,"maximum":9.0,)"
      R"("choices":[],"integer":true},{"name":"on","type":"switch","explanation":"",)"
      R"("initial":true,"minimum":0.0,"maximum":1.0,"choices":[],"integer":false}]},)"
      R"({"id":"frei0r/crash","kind":"","explanation":"","author":"","memory":"",)"
      R"("parameters":[],"refused_because":"it crashed"}]})";
  expect_golden(golden_plugins(), kGolden);
}

TEST(CodecGolden, KeepsACommand) {
  constexpr std::string_view kGolden =
      R"({"kind":"trace","submix":"left","slot":"clip","width_max":320,"token":"a1","part":2,)"
      R"("seconds":5,"show":"[show]","is_whole":true,"is_preview":true,"file":"rain.mp4",)"
      R"("at":0.5,"offset":524288,"from":"right","is_stop":true,"plugin":"frei0r/glow"})";
  expect_golden(command(), kGolden);
}

TEST(CodecGolden, KeepsAShow) {
  constexpr std::string_view kGolden = R"({"toml":"[show]\nname = \"é\"","author":"me"})";
  expect_golden(DesiredShow{"[show]\nname = \"é\"", "me"}, kGolden);
}

TEST(CodecGolden, KeepsATransport) {
  constexpr std::string_view kGolden =
      R"({"is_paused":true,"steps":7,"author":"me","is_black":true,"is_frozen":true,)"
      R"("has_test_cards":true})";
  expect_golden(DesiredTransport{true, 7, "me", true, true, true}, kGolden);
}

TEST(CodecGolden, ReadsATransportOfAnEarlierVersion) {
  const auto read = decode<DesiredTransport>(R"({"is_paused":true,"steps":7,"author":"me"})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, (DesiredTransport{true, 7, "me"}));
}

TEST(CodecGolden, KeepsAMediaList) {
  constexpr std::string_view kGolden =
      R"({"files":[{"name":"rain/é.mp4","bytes":7},)"
      R"({"name":"glow_%04d.png","bytes":9,"pictures":200}],"is_cut":true,)"
      R"("luts":["film/warm.cube"]})";
  expect_golden(MediaList{{{"rain/é.mp4", 7}, {"glow_%04d.png", 9, 200}}, true, {"film/warm.cube"}},
                kGolden);
}

TEST(CodecGolden, KeepsSeenAlerts) {
  constexpr std::string_view kGolden = R"({"things":["node left","link 1 of right"]})";
  expect_golden(AlertsSeen{{"node left", "link 1 of right"}}, kGolden);
}

TEST(CodecGolden, KeepsAnEvent) {
  constexpr std::string_view kGolden =
      R"({"node":"left","severity":"fault","about":"left.clip","text":"gone"})";
  expect_golden(Event{"left", Severity::fault, "left.clip", "gone"}, kGolden);
}

TEST(CodecGolden, KeepsFaults) {
  constexpr std::string_view kGolden =
      R"({"faults":[{"submix":"left","slot":"clip","reason":"no such file"}]})";
  expect_golden(std::vector<SubmixFault>{{"left", "clip", "no such file"}}, kGolden);
}

TEST(CodecGolden, KeepsReplies) {
  EXPECT_EQ(encode_reply(Result<Snapshot>(Snapshot{{2, 1}, 42, "abcdef"})),
            R"({"ok":true,"width":2,"height":1,"frame":42,"format":"rgb24"})"
            "\nabcdef");
  EXPECT_EQ(encode_reply(Result<TracePart>(TracePart{3, "text"})),
            "{\"ok\":true,\"parts\":3}\ntext");
  EXPECT_EQ(encode_reply(Result<Snapshot>(fail("no such slot"))),
            "{\"ok\":false,\"error\":\"no such slot\"}\n");
  EXPECT_EQ(encode_reply(Result<std::vector<SubmixFault>>(std::vector<SubmixFault>{})),
            "{\"ok\":true}\n{\"faults\":[]}");
}

}  // namespace
}  // namespace submix::cluster
