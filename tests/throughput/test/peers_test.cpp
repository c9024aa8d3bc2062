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
  EXPECT_EQ(received_bytes_of("ESTAB 0 0 a b\n\t cubic bytes_acked:9 bytes_received:1200 segs_out:3\n"
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
  EXPECT_EQ(cpu_ticks_of("42 (a) b) S 1 2 3 4 5 6 7 8 9 10 1100 22 0 0 20"), 1122U);
  EXPECT_EQ(cpu_ticks_of(""), 0U);
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
  PeerResult result{name, "as it comes", {}, "", {}};
  for (const double rate : rates)
    result.rounds.push_back({rate, rate * 2, rate * 3, {}, {}, {}, {}});
  return result;
}

PeersResult three_peers() {
  PeersResult result;
  result.peers = {peer("plain", {100, 200, 50}), peer("submix", {110, 180, 60}), peer("ffmpeg", {})};
  result.peers[1].rounds[0].latency_ms_p50 = 5;
  result.peers[2].skipped = "the program ffmpeg is not installed";
  return result;
}

TEST(Peers, AreComparedRoundByRound) {
  const auto result = three_peers();
  EXPECT_EQ(median_of(result.peers[0], &PeerFigures::goodput_mb_s), 100);
  EXPECT_DOUBLE_EQ(ratio_of(result.peers[1], result.peers[0], &PeerFigures::goodput_mb_s), 1.1);
  EXPECT_EQ(median_of(result.peers[1], &PeerFigures::latency_ms_p50), std::nullopt)
      << "not every round tells it";
}

TEST(Peers, AreNamedWhereTheyWereSkipped) {
  const auto result = three_peers();
  EXPECT_NE(to_text({}, result).find("Skipped: ffmpeg: the program ffmpeg is not installed."),
            std::string::npos);
  const auto object = nlohmann::json::parse(to_json({}, result));
  ASSERT_EQ(object.at("peers").size(), 3U);
  EXPECT_EQ(object.at("peers").at(2).at("skipped"), "the program ffmpeg is not installed");
  EXPECT_DOUBLE_EQ(object.at("peers").at(0).at("submix_rate_over_it"), 1.1);
  EXPECT_DOUBLE_EQ(object.at("peers").at(1).at("rate_over_plain"), 1.1);
  EXPECT_EQ(object.at("peers").at(1).at("frames_torn"), 0);
}

}  // namespace
}  // namespace submix::throughput
