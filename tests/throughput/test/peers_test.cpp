// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/throughput/external_peer.hpp"
#include "tests/throughput/peers_command.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace submix::throughput {
namespace {

TEST(SocketStatistics, AddUpWhatAllSocketsHaveReceived) {
  EXPECT_EQ(received_bytes_of(""), 0U);
  EXPECT_EQ(
      received_bytes_of("ESTAB 0 0 a b\n\t cubic bytes_acked:9 bytes_received:1200 segs_out:3\n"
                        "ESTAB 0 0 c d\n\t cubic bytes_received:34"),
      1234U);
}

TEST(SocketTable, TellsAListenerFromAConnection) {
  constexpr const char* kTable =
      "  sl  local_address rem_address   st tx_queue\n"
      "   0: 0100007F:1B59 00000000:0000 0A 00000000:00000000 00:00000000\n"
      "   1: 0100007F:1B5A 0100007F:C001 01 00000000:00000000 00:00000000\n";
  EXPECT_TRUE(has_listener(kTable, 0x1b59));
  EXPECT_FALSE(has_listener(kTable, 0x1b5a)) << "connected";
  EXPECT_FALSE(has_listener(kTable, 0x1b5b));
  EXPECT_FALSE(has_listener("", 1));
}

TEST(ProcessStat, IsReadBehindANameWithBlanksAndParentheses) {
  const auto use = process_use_of("42 (a) b) S 1 2 3 4 -1 6 700 8 90 10 1100 22 0 0 20");
  EXPECT_EQ(use.cpu_ticks, 1122U);
  EXPECT_EQ(use.page_faults, 790U);
  EXPECT_EQ(process_use_of("").cpu_ticks, 0U);
}

TEST(ExternalPeers, AreToldWhereToAndWhat) {
  const PeerWork work{{640, 480}, "127.0.0.1", 7001};
  for (const auto& peer : external_peers()) {
    for (const auto& command : {peer.receiver(work), peer.sender(work)}) {
      EXPECT_EQ(command.front(), peer.program);
      std::string line;
      for (const auto& word : command)
        line += word + ' ';
      EXPECT_NE(line.find("7001"), std::string::npos) << line;
      EXPECT_NE(line.find("127.0.0.1"), std::string::npos) << line;
    }
  }
  EXPECT_TRUE(is_installed("sh"));
  EXPECT_FALSE(is_installed("no-such-program-as-this"));
}

PeerResult peer(const std::string& name, std::initializer_list<double> rates) {
  PeerResult result{name};
  for (const double rate : rates) {
    PeerFigures round;
    round.goodput_mb_s = rate;
    round.frames_per_second = rate * 2;
    round.frames_per_cpu_s = rate * 3;
    result.rounds.push_back(round);
  }
  return result;
}

PeersResult two_venues() {
  PeersVenue loopback{"loopback", true, 2};
  loopback.peers = {peer("plain", {100, 200, 50}), peer("submix", {110, 180, 60}),
                    peer("ffmpeg", {})};
  loopback.peers[1].rounds[0].latency_ms_p50 = 5;
  loopback.peers[1].faults = FrameFaults{};
  loopback.peers[2].skipped = "the program ffmpeg is not installed";
  PeersVenue shaped{"1gbit + 500mbit", false, 2};
  shaped.peers = {peer("plain", {60, 60}), peer("plain-link-1", {20, 40}),
                  peer("submix", {80, 90})};
  return {{loopback, shaped}};
}

TEST(Peers, AreComparedRoundByRound) {
  const auto venue = two_venues().venues[0];
  EXPECT_EQ(median_of(venue.peers[0], &PeerFigures::goodput_mb_s), 100);
  EXPECT_DOUBLE_EQ(ratio_of(venue.peers[1], venue.peers[0], &PeerFigures::goodput_mb_s), 1.1);
  EXPECT_EQ(median_of(venue.peers[1], &PeerFigures::latency_ms_p50), std::nullopt)
      << "not every round tells it";
}

TEST(Peers, ShareWhatOneLinkCarriesOverLoopbackAndWhatAllDoOverShapedLinks) {
  auto [loopback, shaped] = std::pair(two_venues().venues[0], two_venues().venues[1]);
  EXPECT_DOUBLE_EQ(*line_share_of(loopback, loopback.peers[1]), 1.1);
  EXPECT_DOUBLE_EQ(*line_share_of(shaped, shaped.peers[2]), 0.95) << "of 1.0 and 0.9";
  shaped.peers[1].skipped = "unplugged";
  EXPECT_EQ(line_share_of(shaped, shaped.peers[2]), std::nullopt);
  loopback.is_paced = true;
  EXPECT_EQ(line_share_of(loopback, loopback.peers[1]), std::nullopt)
      << "plain TCP was held back, too";
}

TEST(Peers, AreNamedWhereTheyWereSkipped) {
  auto result = two_venues();
  result.venues[1].skipped = "network namespaces need root";
  const auto text = to_text({}, result);
  EXPECT_NE(text.find("Skipped over loopback: ffmpeg: the program ffmpeg is not installed."),
            std::string::npos);
  EXPECT_NE(
      text.find(
          "Skipped over 1gbit + 500mbit: plain, plain-link-1, submix: network namespaces need"),
      std::string::npos);
  const auto object = nlohmann::json::parse(to_json({}, result));
  ASSERT_EQ(object.at("peers").size(), 6U);
  EXPECT_EQ(object.at("peers").at(2).at("skipped"), "the program ffmpeg is not installed");
  EXPECT_EQ(object.at("peers").at(5).at("skipped"), "network namespaces need root");
  EXPECT_EQ(object.at("places").at(1).at("skipped"), "network namespaces need root");
}

TEST(Peers, TellInJsonWhatIsKnownOfThemAndNothingElse) {
  const auto object = nlohmann::json::parse(to_json({}, two_venues()));
  const auto& plain = object.at("peers").at(0);
  const auto& submix = object.at("peers").at(1);
  EXPECT_DOUBLE_EQ(plain.at("submix_rate_over_it"), 1.1);
  EXPECT_DOUBLE_EQ(submix.at("rate_over_plain"), 1.1);
  EXPECT_DOUBLE_EQ(submix.at("line_share"), 1.1);
  EXPECT_EQ(submix.at("frames_torn"), 0);
  EXPECT_TRUE(submix.contains("cpu_s_per_gb_send"));
  EXPECT_TRUE(submix.contains("faults_per_frame"));
  EXPECT_FALSE(submix.contains("latency_ms_p50")) << "not every round tells it";
  EXPECT_FALSE(submix.contains("rate_over_iperf3")) << "it did not take part";
  EXPECT_FALSE(plain.contains("frames_torn")) << "nobody has looked at its frames";
  EXPECT_FALSE(plain.contains("allocations_per_frame")) << "nobody has counted them";
}

}  // namespace
}  // namespace submix::throughput
