// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the program as typed, over loopback and over its own namespaces.
#include "common/base/allocation_count.hpp"
#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "common/cluster/show_key.hpp"
#include "tests/support/network_namespaces.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::throughput {
namespace {

using std::chrono::milliseconds;

class ThroughputProgram : public ::testing::Test {
 protected:
  ChildProcess start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), SUBMIX_THROUGHPUT);
    auto started = ChildProcess::start(arguments, folder_ / "log");
    EXPECT_TRUE(started);
    return std::move(*started);
  }
  int run(std::vector<std::string> arguments) {
    auto program = start(std::move(arguments));
    return wait_for(program);
  }
  static int wait_for(ChildProcess& program) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(100);
    while (!program.exit_status() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::sleep_for(milliseconds(10));
    return program.exit_status().value_or(-1);
  }
  [[nodiscard]] std::string log() const { return *read_text_file(folder_ / "log"); }
  /// Without the progress before it.
  [[nodiscard]] nlohmann::json json() const {
    const auto text = log();
    return nlohmann::json::parse(text.substr(text.find("\n{\n") + 1), nullptr, false);
  }
  static std::size_t namespaces_of(pid_t process) {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/run/netns", error))
      count +=
          entry.path().filename().string().starts_with("submix-" + std::to_string(process) + "-")
              ? 1U
              : 0U;
    return count;
  }

  testing::TemporaryFolder folder_;
};

void expect_all_arrived(const nlohmann::json& object) {
  for (const auto* name : {"frames_lost", "frames_duplicated", "frames_reordered", "frames_torn"})
    EXPECT_EQ(object.at(name), 0) << name;
}

// Allocations or page faults of each frame would repeat every time. The kernel's occasional work is
// less.
void expect_next_to_nothing_for_a_frame(const nlohmann::json& object) {
  if (can_count_allocations()) {
    EXPECT_GE(object.at("allocations_per_frame"), 0);
    EXPECT_LT(object.at("allocations_per_frame"), 0.5);
  }
  EXPECT_GE(object.at("faults_per_frame"), 0);
  EXPECT_LT(object.at("faults_per_frame"), 0.5);
}

TEST_F(ThroughputProgram, MeasuresTwoStreamsOverLoopback) {
  ASSERT_EQ(run({"run", "--size", "320x240", "--frames", "50", "--streams", "2", "--links", "3",
                 "--warm-up", "0.2", "--rounds", "1", "--checksum", "xxh3", "--json"}),
            0)
      << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  expect_all_arrived(object);
  EXPECT_EQ(object.at("options").at("checksum"), "xxh3");
  EXPECT_GT(object.at("goodput_mb_s"), 0);
  EXPECT_EQ(object.at("links_alone_mb_s").size(), 3U);
  EXPECT_GE(object.at("frames_measured"), 100);
  EXPECT_GT(object.at("cpu_s_per_gb_send"), 0);
  EXPECT_GT(object.at("latency_ms_p50"), 0);
  EXPECT_LE(object.at("latency_ms_p50"), object.at("latency_ms_p99"));
  expect_next_to_nothing_for_a_frame(object);
}

TEST_F(ThroughputProgram, CountsFourBytesAPixelWhereTheStreamHasAlpha) {
  ASSERT_EQ(run({"run", "--size", "320x240", "--frames", "50", "--links", "1", "--warm-up", "0.2",
                 "--rounds", "1", "--wire", "rgba", "--json"}),
            0)
      << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  expect_all_arrived(object);
  EXPECT_EQ(object.at("options").at("wire"), "rgba");
  const double frames_per_second = object.at("frames_per_second");
  EXPECT_NEAR(object.at("goodput_mb_s"), frames_per_second * 320 * 240 * 4 / 1e6,
              frames_per_second * 0.001);
}

TEST_F(ThroughputProgram, MeasuresLinksOfUnequalRatesInNamespacesOfItsOwn) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  auto program = start({"run", "--shape", "200mbit,100mbit", "--size", "320x240", "--seconds", "1",
                        "--rounds", "1", "--json"});
  ASSERT_EQ(wait_for(program), 0) << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  expect_all_arrived(object);
  const auto alone = object.at("links_alone_mb_s").get<std::vector<double>>();
  ASSERT_EQ(alone.size(), 2U);
  EXPECT_LT(alone[0], 25) << "200 Mbit/s";
  EXPECT_LT(alone[1], 12.5);
  EXPECT_GT(object.at("line_share"), 0.2);
  EXPECT_LT(object.at("line_share"), 1.5);
  expect_next_to_nothing_for_a_frame(object);
  if (can_count_allocations()) {
    EXPECT_EQ(object.at("allocations_per_frame"), 0) << "nobody else is here";
  }
  EXPECT_EQ(namespaces_of(program.pid()), 0U);
}

TEST_F(ThroughputProgram, ChangesALinksRateWhileFramesFlow) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  auto program = start({"run", "--shape", "200mbit,200mbit", "--vary", "1:200mbit,20mbit@0.3s",
                        "--size", "320x240", "--fps", "60", "--seconds", "2", "--rounds", "1",
                        "--congestion", "reno", "--json"});
  ASSERT_EQ(wait_for(program), 0) << log();
  expect_all_arrived(json());
  EXPECT_GT(json().at("frames_measured"), 30);
  EXPECT_EQ(namespaces_of(program.pid()), 0U);
}

TEST_F(ThroughputProgram, MeasuresLinksOfUnequalDelays) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  if (::access("/dev/net/tun", R_OK | W_OK) != 0) GTEST_SKIP() << "needs /dev/net/tun";
  // Medians of rounds: the cable is a program, and after a wait for a core it carries more for a
  // while.
  auto program = start({"run", "--shape", "100mbit,100mbit", "--delay", "0ms,30ms", "--size",
                        "320x240", "--fps", "30", "--seconds", "1", "--rounds", "3", "--json"});
  const auto status = wait_for(program);
  if (log().find("by /dev/net/tun: Operation not permitted") != std::string::npos)
    GTEST_SKIP() << "TUN is not permitted";
  ASSERT_EQ(status, 0) << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  expect_all_arrived(object);
  const auto alone = object.at("links_alone_mb_s").get<std::vector<double>>();
  ASSERT_EQ(alone.size(), 2U);
  EXPECT_LT(alone[0], 12.5) << "100 Mbit/s";
  EXPECT_LT(alone[1], 12.5);
  EXPECT_GT(alone[1], 1) << "the long cable carries next to nothing";
  EXPECT_EQ(object.at("options").at("delay_ms").dump(), "[0.0,30.0]");
  EXPECT_GT(object.at("wire_ms"), 15) << "less than the short link needs for all of it";
  EXPECT_EQ(namespaces_of(program.pid()), 0U);
}

TEST_F(ThroughputProgram, WaitsAtLeastTheDelayOfALongLink) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  if (::access("/dev/net/tun", R_OK | W_OK) != 0) GTEST_SKIP() << "needs /dev/net/tun";
  auto program = start({"run", "--shape", "100mbit", "--delay", "40ms", "--size", "320x240",
                        "--fps", "10", "--seconds", "1", "--rounds", "1", "--json"});
  const auto status = wait_for(program);
  if (log().find("by /dev/net/tun: Operation not permitted") != std::string::npos)
    GTEST_SKIP() << "TUN is not permitted";
  ASSERT_EQ(status, 0) << log();
  expect_all_arrived(json());
  EXPECT_GE(json().at("latency_ms_p50"), 40);  // never less: the cable's delay
}

TEST_F(ThroughputProgram, RefusesADelayWithoutARate) {
  EXPECT_EQ(run({"run", "--delay", "5ms"}), 2);
  EXPECT_NE(log().find("--delay of 1 links needs --shape of as many, not of 0"), std::string::npos)
      << log();
}

TEST_F(ThroughputProgram, RemovesItsNamespacesWhenInterrupted) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  // While the program makes them, and while it measures.
  for (const auto later : {milliseconds(0), milliseconds(2000)}) {
    auto program = start({"run", "--shape", "100mbit", "--seconds", "60", "--rounds", "1"});
    while (namespaces_of(program.pid()) < 1 && !program.exit_status())
      std::this_thread::sleep_for(milliseconds(1));
    std::this_thread::sleep_for(later);
    program.send_signal(SIGINT);
    EXPECT_EQ(wait_for(program), 128 + SIGINT) << log();
    EXPECT_EQ(namespaces_of(program.pid()), 0U);
  }
}

TEST_F(ThroughputProgram, ComparesItselfWithOthersOverLoopbackAndOverShapedLinksInOneRun) {
  ASSERT_EQ(run({"peers", "--loopback", "--shape", "100mbit,100mbit", "--only",
                 "plain,ffmpeg,mptcp,submix", "--size", "320x240", "--seconds", "0.6", "--warm-up",
                 "0.3", "--rounds", "1", "--json"}),
            0)
      << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  ASSERT_EQ(object.at("places").size(), 2U);
  ASSERT_EQ(object.at("peers").size(), 7U) << "plain TCP over each shaped link";
  for (const auto& peer : object.at("peers")) {
    if (peer.contains("skipped")) continue;  // no FFmpeg, no MPTCP, no namespaces
    EXPECT_GT(peer.at("goodput_mb_s"), 0) << peer;
    EXPECT_GT(peer.at("line_share"), 0) << peer;
    EXPECT_GT(peer.at("cpu_s_per_gb_send"), 0) << peer;
    EXPECT_GT(peer.at("cpu_s_per_gb_receive"), 0) << peer;
    EXPECT_GT(peer.at("frames_per_cpu_s"), 0) << peer;
    EXPECT_GE(peer.at("faults_per_frame"), 0) << peer;
    const bool is_ours_to_check = peer.at("name") != "ffmpeg";
    EXPECT_EQ(peer.contains("latency_ms_p99"), is_ours_to_check) << peer;
    if (is_ours_to_check) expect_all_arrived(peer);
  }
}

TEST_F(ThroughputProgram, MeasuresProgramsOfOthersOrNamesThem) {
  ASSERT_EQ(run({"peers", "--loopback", "--only", "ffmpeg,iperf3", "--size", "320x240", "--seconds",
                 "0.5", "--warm-up", "0.3", "--rounds", "1", "--json"}),
            0)
      << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  for (const auto& peer : object.at("peers")) {
    if (peer.contains("skipped")) {
      EXPECT_NE(peer.at("skipped").get<std::string>().find("is not installed"), std::string::npos)
          << peer;
    } else {
      EXPECT_GT(peer.at("goodput_mb_s"), 0) << peer;
    }
  }
}

TEST_F(ThroughputProgram, RefusesAPaceForPeersOverLoopback) {
  EXPECT_EQ(run({"peers", "--loopback", "--fps", "30"}), 2);
  EXPECT_NE(log().find("--fps is for links with a --shape"), std::string::npos) << log();
}

TEST_F(ThroughputProgram, KeepsAPaceWhileCoresAreLoaded) {
  ASSERT_EQ(run({"load", "--size", "320x240", "--fps", "30", "--cores", "0,1", "--load",
                 "spin,memory", "--seconds", "0.5", "--warm-up", "0.3", "--json"}),
            0)
      << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  ASSERT_EQ(object.at("rows").size(), 3U);
  EXPECT_EQ(object.at("rows").at(2).at("load"), "memory");
  for (const auto& row : object.at("rows")) {
    expect_all_arrived(row);
    EXPECT_GT(row.at("frames_measured"), 5);
    EXPECT_GT(row.at("on_time"), 0);
    EXPECT_GT(row.at("cpu_s_per_gb_send"), 0);
    expect_next_to_nothing_for_a_frame(row);
  }
}

/// Two PCs with two cables between them, a key, and a server on the second PC.
class ThroughputLink : public ThroughputProgram {
 protected:
  void SetUp() override {
    if (!network_.is_ready()) GTEST_SKIP() << network_.problem();
    ASSERT_TRUE(cluster::ShowKey::random().write_new(folder_ / "key"));
    ASSERT_TRUE(cluster::ShowKey::random().write_new(folder_ / "other-key"));
    server_.emplace(start_on("desk",
                             with_cards("desk", {"serve", "--listen", network_.address("desk", 0),
                                                 "--key", folder_ / "key"}),
                             "server-log"));
    while (server_log().empty() && !server_->exit_status())
      std::this_thread::sleep_for(milliseconds(5));
  }
  ChildProcess start_on(const std::string& host, std::vector<std::string> arguments,
                        const std::string& log_name) {
    arguments.insert(arguments.begin(), SUBMIX_THROUGHPUT);
    auto started = ChildProcess::start(network_.command_on(host, arguments), folder_ / log_name);
    EXPECT_TRUE(started);
    return std::move(*started);
  }
  // A new card has no carrier for up to a second and would not be offered, so all cards are named.
  [[nodiscard]] std::vector<std::string> with_cards(const std::string& host,
                                                    std::vector<std::string> arguments) const {
    for (int cable = 0; cable < 2; ++cable) {
      arguments.emplace_back("--data-address");
      arguments.push_back(network_.address(host, cable));
    }
    return arguments;
  }
  int link(const std::string& key) {
    auto program = start_on(
        "rack",
        with_cards("rack", {"link", network_.address("desk", 0), "--key", folder_ / key,
                            "--seconds", "0.5", "--warm-up", "0.2", "--rounds", "1", "--json"}),
        "log");
    return wait_for(program);
  }
  [[nodiscard]] std::string server_log() const {
    return read_text_file(folder_ / "server-log").value_or("");
  }

  testing::NetworkNamespaces network_{{"desk", "rack"}, {2, testing::Wiring::direct}};
  std::optional<ChildProcess> server_;
};

TEST_F(ThroughputLink, MeasuresEachPairOfCardsAndAllTogether) {
  ASSERT_TRUE(network_.shape("rack", 0, 200));
  ASSERT_TRUE(network_.shape("rack", 1, 100));
  ASSERT_EQ(link("key"), 0) << log() << server_log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  expect_all_arrived(object);
  ASSERT_EQ(object.at("pairs").size(), 2U);
  EXPECT_EQ(object.at("pairs").at(1).at("mtu_bytes"), 1500);
  EXPECT_LT(object.at("pairs").at(0).at("goodput_mb_s"), 25) << "200 Mbit/s";
  EXPECT_LT(object.at("pairs").at(1).at("goodput_mb_s"), 12.5);
  EXPECT_GT(object.at("line_share"), 0.2);
  EXPECT_GT(object.at("latency_ms_p50"), 0);
  EXPECT_LE(object.at("latency_ms_p50"), object.at("latency_ms_p99"));
  expect_next_to_nothing_for_a_frame(object);
  EXPECT_NE(object.at("verdict").get<std::string>().find("these two links"), std::string::npos);
}

TEST_F(ThroughputLink, GoesOnWithTheCardsThatReachEachOther) {
  ASSERT_TRUE(network_.set_up(1, false));
  ASSERT_EQ(link("key"), 0) << log() << server_log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  EXPECT_GT(object.at("goodput_mb_s"), 0);
  EXPECT_NE(object.at("verdict").get<std::string>().find("this link"), std::string::npos) << object;
}

TEST_F(ThroughputLink, RefusesAnotherKeyAndServesTheNextCaller) {
  EXPECT_EQ(link("other-key"), 1);
  EXPECT_NE(log().find("submix-throughput:"), std::string::npos);
  EXPECT_EQ(link("key"), 0) << log() << server_log();
  server_->send_signal(SIGINT);
  EXPECT_EQ(wait_for(*server_), 0);
}

TEST_F(ThroughputLink, TellsASecondCallerWhoIsServed) {
  auto first = start_on("rack",
                        with_cards("rack", {"link", network_.address("desk", 0), "--key",
                                            folder_ / "key", "--seconds", "20", "--rounds", "1"}),
                        "first-log");
  while (read_text_file(folder_ / "first-log").value_or("").find("alone") == std::string::npos &&
         !first.exit_status())
    std::this_thread::sleep_for(milliseconds(5));
  EXPECT_EQ(link("other-key"), 1);
  EXPECT_EQ(log().find("is busy"), std::string::npos) << "no news for strangers: " << log();
  // Beside such a test a caller may be too slow for its short time. It then calls again.
  constexpr int kCallsMax = 10;
  const auto is_told = [&] {
    return log().find("is busy: it measures with " + network_.address("rack", 0)) !=
           std::string::npos;
  };
  for (int calls = 0; calls < kCallsMax && !is_told() && !first.exit_status(); ++calls)
    EXPECT_EQ(link("key"), 1);
  EXPECT_TRUE(is_told()) << log() << server_log();
  EXPECT_FALSE(first.exit_status()) << "the first caller is not disturbed";
  first.send_signal(SIGINT);
  EXPECT_EQ(wait_for(first), 128 + SIGINT);
  EXPECT_EQ(link("key"), 0) << "free again: " << log() << server_log();
}

TEST_F(ThroughputProgram, ServesNobodyElseWithoutAKey) {
  EXPECT_EQ(run({"serve", "--listen", "198.18.0.1"}), 1);
  EXPECT_NE(log().find("there is no key"), std::string::npos);
}

TEST_F(ThroughputProgram, ComparesPixelKernels) {
  ASSERT_EQ(run({"pixels", "--size", "320x240", "--rounds", "2", "--json"}), 0) << log();
  const auto object = json();
  ASSERT_TRUE(object.is_object()) << log();
  EXPECT_FALSE(object.at("kernel").get<std::string>().empty());
  ASSERT_GE(object.at("pack").size(), 6U) << "memcpy, ours twice, plain code, libyuv, libswscale";
  EXPECT_EQ(object.at("pack").at(0).at("warm_ratio"), 1.0) << "memcpy";
  EXPECT_GT(object.at("unpack").at(1).at("cold_us"), 0);

  ASSERT_TRUE(write_file_atomically(folder_ / "pixels.json", object.dump()));
  ASSERT_EQ(run({"plot", folder_ / "pixels.json"}), 0) << log();
  EXPECT_EQ(read_text_file(folder_ / "pixels.svg")->substr(0, 4), "<svg");
  EXPECT_EQ(run({"plot", folder_ / "log"}), 1) << "no JSON";
}

TEST_F(ThroughputProgram, SaysWhatIsWrongWithItsArguments) {
  EXPECT_EQ(run({"run", "--shape", "1gbit", "--links", "2"}), 2);
  EXPECT_EQ(run({"run", "--size", "5x5"}), 2);
  EXPECT_EQ(run({"run", "--fps", "30", "--vary", "0:1gbit,2gbit@1s"}), 2);
  EXPECT_EQ(run({"dance"}), 2);
  EXPECT_EQ(run({"run", "--pixel", "yuv"}), 2);
  EXPECT_EQ(run({"run", "--seconds", "0"}), 2);
  EXPECT_EQ(run({"serve", "--port", "99999"}), 2);
  EXPECT_EQ(run({"serve", "--listen", "1.2.3.4.5"}), 1);
  EXPECT_EQ(run({"peers", "--only", "plain,foo"}), 2);
  EXPECT_EQ(run({"plot", "/dev/null", "-o", "picture.png"}), 2);
  for (const auto* text :
       {"--links 2 and --shape of 1 links contradict each other", "there is no command \"dance\"",
        "\"yuv\" is no pixel format; rgba and rgb24 are", "--seconds: Value 0 not in range",
        "--port: Value 99999 not in range", "\"1.2.3.4.5\" is no IP address",
        "foo not in {plain,iperf3",
        "picture.png is not the name of an SVG file; it must end in .svg"})
    EXPECT_NE(log().find(text), std::string::npos) << text << " is not in:\n" << log();
}

}  // namespace
}  // namespace submix::throughput
