// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/why.hpp"
#include "tests/throughput/link_access.hpp"
#include "tests/throughput/link_command.hpp"
#include "tests/throughput/link_messages.hpp"
#include "tests/throughput/remote_line.hpp"
#include "tests/throughput/statistics.hpp"
#include "tests/throughput/verdict.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <array>
#include <future>
#include <utility>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

TEST(Verdict, NamesTheGreatestFormatThatFitsAndTheNext) {
  // 1080p60 needs 373.2 MB/s.
  EXPECT_EQ(verdict(418.1 * kMega, 3),
            "1080p60 fits on these three links with 12 % to spare; 2160p30 needs 1.79 times what "
            "they carry.");
  EXPECT_EQ(verdict(119.5 * kMega, 1),
            "720p30 fits on this link with 44 % to spare; XGA at 60 fps needs 1.18 times what they "
            "carry.");
}

TEST(Verdict, SaysSoWhereNothingOrEverythingFits) {
  EXPECT_EQ(
      verdict(35.4 * kMega, 2),
      "Nothing usual fits on these two links: XGA at 30 fps needs 2.00 times what they carry.");
  EXPECT_EQ(verdict(3000 * kMega, 8), "2160p60 fits on these eight links with 100 % to spare.");
}

AskReceive request() {
  AskReceive request;
  request.transport = Transport::plain;
  request.size = "1080p";
  request.warm_up = milliseconds(500);
  request.duration = milliseconds(2000);
  request.addresses = {"198.18.0.1"};
  request.token = {1, 2, 3};
  return request;
}

TEST(LinkRequest, SurvivesTheWay) {
  const auto decoded = decode_request(encode(Request(request())));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(encode(*decoded), encode(Request(request())));
  EXPECT_TRUE(std::holds_alternative<AskCards>(*decode_request(encode(Request(AskCards())))));
  EXPECT_EQ(std::get<AskReport>(*decode_request(encode(Request(AskReport{7})))).frames_sent, 7U);
  for (const auto* garbage : {"", "{}", "[]", "{\"ask\":\"receive\"}", "{\"ask\":1}", "\xff\xfe"})
    EXPECT_FALSE(decode_request(garbage)) << garbage;
}

TEST(LinkRequest, BecomesAJobWithinTheServersLimits) {
  const std::vector<std::string> own{"198.18.0.1", "198.18.1.1"};
  const auto job = job_of(request(), own);
  ASSERT_TRUE(job);
  EXPECT_EQ(job->size, (Size{1920, 1080}));
  EXPECT_TRUE(job->is_remote);
  EXPECT_EQ(job->token, request().token);
  auto wrong = request();
  wrong.addresses = {"198.18.0.9"};
  EXPECT_EQ(why(job_of(wrong, own)), "198.18.0.9 is no address that streams may use here");
  wrong = request();
  wrong.duration = milliseconds(30'001);
  EXPECT_FALSE(job_of(wrong, own));
  wrong.duration = milliseconds(-1);
  EXPECT_FALSE(job_of(wrong, own));
  wrong = request();
  wrong.size = "9999x9999";
  EXPECT_FALSE(job_of(wrong, own));
  wrong = request();
  wrong.addresses.assign(9, "198.18.0.1");
  EXPECT_FALSE(job_of(wrong, own));
}

TEST(LinkAccess, StaysOnLoopbackWithoutAKey) {
  EXPECT_TRUE(check_reach("127.0.0.5", false));
  EXPECT_TRUE(check_reach("::1", false));
  EXPECT_FALSE(check_reach("0.0.0.0", false));
  EXPECT_FALSE(check_reach("198.18.0.1", false));
  EXPECT_TRUE(check_reach("198.18.0.1", true));
  EXPECT_FALSE(data_addresses({"127.0.0.1", "198.18.0.1"}, false));
}

/// Both ends of a connection.
class RemoteLineTest : public ::testing::Test {
 protected:
  RemoteLineTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    client_socket = Descriptor(ends[0]);
    server_socket = Descriptor(ends[1]);
  }
  using Lines = std::pair<Result<RemoteLine>, Result<RemoteLine>>;
  Lines begin(const wire::Key& client_key, const wire::Key& server_key) {
    auto server = std::async(std::launch::async, [&] {
      return RemoteLine::begin(std::move(server_socket), RemoteLine::End::server, server_key);
    });
    auto client = RemoteLine::begin(std::move(client_socket), RemoteLine::End::client, client_key);
    return {std::move(client), server.get()};
  }
  static Result<std::string> receive(RemoteLine& line) {
    return line.receive(milliseconds(1000), [] { return Result<void>(); });
  }
  void say(std::string_view bytes) const {
    ASSERT_EQ(::send(client_socket.get(), bytes.data(), bytes.size(), 0),
              static_cast<ssize_t>(bytes.size()));
  }

  Descriptor client_socket;
  Descriptor server_socket;
};

TEST_F(RemoteLineTest, CarriesMessagesBothWays) {
  auto [client, server] = begin({1}, {1});
  ASSERT_TRUE(client && server);
  for (const std::string text : {"one", "", "three"}) {
    ASSERT_TRUE(client->send(text));
    EXPECT_EQ(*receive(*server), text);
    ASSERT_TRUE(server->send(text + text));
    EXPECT_EQ(*receive(*client), text + text);
  }
}

TEST_F(RemoteLineTest, RefusesAnotherKey) {
  auto [client, server] = begin({1}, {2});
  ASSERT_TRUE(client && server);
  ASSERT_TRUE(client->send("{}"));
  EXPECT_FALSE(receive(*server));
}

TEST_F(RemoteLineTest, RefusesOtherPeersWhateverTheySay) {
  say("GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n");
  const auto line = RemoteLine::begin(std::move(server_socket), RemoteLine::End::server, {});
  ASSERT_FALSE(line);
  EXPECT_NE(line.error().message.find("does not greet"), std::string::npos);
}

TEST_F(RemoteLineTest, DoesNotWaitForeverForOneWhoSaysNothing) {
  EXPECT_FALSE(RemoteLine::begin(std::move(server_socket), RemoteLine::End::server, {}));
}

TEST_F(RemoteLineTest, NeverSizesMemoryByALengthThatIsTooLong) {
  say(std::string("submix link 2") + std::string(19, '\0') + "\xff\xff\xff\x7f");
  auto line = RemoteLine::begin(std::move(server_socket), RemoteLine::End::server, {});
  ASSERT_TRUE(line);
  EXPECT_EQ(why(receive(*line)), "a message of 2147483647 bytes is longer than 65536");
}

/// A receiver's ledger in which frame 3 never arrived.
Ledger released(std::int64_t first_ns, std::uint64_t begin, std::uint64_t end) {
  auto ledger = *Ledger::create({1, end + 1});
  ledger.window(0).begin = begin;
  ledger.window(0).end = end;
  for (auto index = begin; index < end; ++index)
    ledger.times(0, index).released =
        index == 3 ? 0 : first_ns + static_cast<std::int64_t>(index) * 1'000'000;
  return ledger;
}

TEST(ReleaseTimes, BecomeLatenciesByTheOtherMachinesClock) {
  constexpr std::int64_t kOffset = 7'000'000'000;
  auto sender = *Ledger::create({1, 5});
  for (std::uint64_t index = 0; index < 5; ++index)
    sender.times(0, index).offered = 100 + static_cast<std::int64_t>(index) * 500'000;
  const auto releases = read_releases(released(kOffset + 100, 2, 8));
  EXPECT_EQ(latencies_ms(sender, releases, std::chrono::nanoseconds(kOffset)),
            (std::vector<double>{1, 2}))
      << "of frames 2 and 4: 3 never came, and 5 was never sent";
}

TEST(ReleaseTimes, AreThinnedOutToFitAMessage) {
  RemoteReport report;
  report.releases = read_releases(released(1, 0, 10'000));
  EXPECT_EQ(report.releases.apart, 3U);
  EXPECT_EQ(report.releases.at_ns.size(), 3334U);
  const auto text = encode(report);
  EXPECT_LT(text.size(), 64U * 1024);
  const auto decoded = decode_remote_report(text);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->releases.first, 0U);
  EXPECT_EQ(decoded->releases.apart, 3U);
  EXPECT_EQ(decoded->releases.at_ns, report.releases.at_ns);
  EXPECT_TRUE(read_releases(*Ledger::create({1, 5})).at_ns.empty()) << "no window";
}

LinkResult two_pairs() {
  LinkResult result;
  result.host = "desk";
  result.pairs = {
      {"198.18.0.2", "198.18.0.1", 1500, 1000, {119.5, 0.2, 0.3}, "", {}},
      {"198.18.1.2", "198.18.1.1", 0, 0, {}, "cannot connect to 198.18.1.1: No route to host", {}}};
  result.together = {118.9, 0.25, 0.35, 0, 0.125, 30, 40};
  result.line_share = 0.995;
  result.verdict = verdict(118.9 * kMega, 1);
  result.complaints = "link 0: card eth1 runs at 100 of 1000 Mbit/s";
  return result;
}

TEST(LinkReport, TellsRatesProblemsAndTheVerdict) {
  const auto text = to_text({}, two_pairs());
  EXPECT_NE(text.find("119.5"), std::string::npos) << text;
  EXPECT_NE(text.find("No route to host"), std::string::npos);
  EXPECT_NE(text.find("99.5 %"), std::string::npos);
  EXPECT_NE(text.find("720p30 fits on this link"), std::string::npos);
  EXPECT_NE(text.find("The stream says: link 0: card eth1 runs at 100"), std::string::npos);
}

TEST(LinkReport, HasItsFiguresInJson) {
  const auto object = nlohmann::json::parse(to_json({}, two_pairs()));
  EXPECT_EQ(object.at("goodput_mb_s"), 118.9);
  EXPECT_EQ(object.at("line_share"), 0.995);
  EXPECT_EQ(object.at("pairs").at(0).at("mtu_bytes"), 1500);
  EXPECT_TRUE(object.at("pairs").at(1).contains("problem"));
  EXPECT_EQ(object.at("frames_lost"), 0);
  EXPECT_EQ(object.at("latency_ms_p50"), 30);
  EXPECT_EQ(object.at("latency_ms_p99"), 40);
  EXPECT_EQ(object.at("faults_per_frame"), 0.125);
  EXPECT_FALSE(object.at("pairs").at(0).contains("latency_ms_p50"))
      << "plain TCP compares no clocks";
  EXPECT_TRUE(object.at("pairs").at(0).contains("faults_per_frame"));
  EXPECT_TRUE(object.at("verdict").is_string());
  EXPECT_EQ(object.at("complaints"), "link 0: card eth1 runs at 100 of 1000 Mbit/s");
}

}  // namespace
}  // namespace submix::throughput
