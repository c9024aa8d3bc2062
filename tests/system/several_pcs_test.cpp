// SPDX-License-Identifier: GPL-3.0-or-later
// A show over several PCs whose key was copied by hand; and who is refused.

#include "tests/system/several_pcs.hpp"

#include "common/base/files.hpp"
#include "common/cluster/bus.hpp"
#include "common/cluster/cluster.hpp"
#include "common/link/data_plane.hpp"
#include "tests/system/shows.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr const char* kNats = "nats://198.18.0.1:4222,nats://198.18.1.1:4222";
const std::string kAnywhere = std::string("env SUBMIX_NATS=") + kNats + " SUBMIX_KEY=show.key ";

class ShowOverSeveralPcs : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!pcs_.network().is_ready()) GTEST_SKIP() << NetworkNamespaces::kNeeds;
    expect_ok(pcs_.run("desk", "submix key new show.key"));
    for (const auto* rack : {"rack1", "rack2"})
      expect_ok(pcs_.run("desk", "cp -p show.key " + pcs_.folder_of(rack).string()));  // for scp -p
    pcs_.start("nats", "desk", "submix --key show.key nats");
    ASSERT_TRUE(pcs_.wait_until_log_says("nats", std::string("NATS answers at ") + kNats));
  }

  void start_nodes_and_apply() {
    const auto join = std::string(" --nats ") + kNats + " --key show.key";
    pcs_.start("mix", "desk",
               "submix-node --name mix --nats nats://127.0.0.1:4222 --key show.key"
               " --data-address 198.18.0.1 --data-address 198.18.1.1 --data-port 7400");
    pcs_.start(
        "left", "rack1",
        "submix-node --name left" + join +
            " --media . --data-address 198.18.0.2 --data-address 198.18.1.2 --data-port 7400");
    pcs_.start(
        "right", "rack2",
        "submix-node --name right" + join +
            " --media . --data-address 198.18.0.3 --data-address 198.18.1.3 --data-port 7400");
    ASSERT_TRUE(
        write_file_atomically(pcs_.folder_of("rack2") / "my-show.toml", kCheckedDuo).has_value());
    for (const auto* node : {"mix", "left", "right"})
      ASSERT_TRUE(pcs_.wait_until_log_says(node, "control plane: connected"));
    expect_ok(pcs_.run("rack2", kAnywhere + "submix validate my-show.toml"));
    expect_ok(pcs_.run("rack2", kAnywhere + "submix apply my-show.toml"));
  }

  static void expect_ok(const SeveralPcs::Outcome& outcome) {
    EXPECT_EQ(outcome.status, 0) << outcome.output;
  }

  Json status() {
    const auto outcome = pcs_.run("rack2", kAnywhere + "submix status --json");
    expect_ok(outcome);
    return Json::parse(outcome.output, nullptr, false);
  }
  /// Waits until `is_so` holds. Returns the last status in either case.
  Json status_that(const std::function<bool(const Json&)>& is_so) {
    const auto deadline = std::chrono::steady_clock::now() + SeveralPcs::kPatience;
    auto now = status();
    while (!is_so(now) && std::chrono::steady_clock::now() < deadline)
      now = status();
    return now;
  }
  /// Waits until the checkers have checked this number of frames.
  Json status_after_checking(std::uint64_t frames) {
    const auto has_checked = [frames](const Json& now) {
      return now.at("checks").value("checked", std::uint64_t{0}) >= frames;
    };
    auto now = status_that(has_checked);
    EXPECT_TRUE(has_checked(now)) << "fewer than " << frames << " frames checked: " << now.dump();
    return now;
  }
  /// Whether all nodes are there and each stream has both links.
  static bool is_complete(const Json& status) {
    const auto& nodes = status.at("nodes");
    const auto& streams = status.at("streams");
    return nodes.size() == 3 && streams.size() == 2 &&
           std::ranges::all_of(nodes,
                               [](const Json& node) { return node.at("health") == "healthy"; }) &&
           std::ranges::all_of(streams,
                               [](const Json& stream) { return count_open_links(stream) == 2; });
  }
  static std::ptrdiff_t count_open_links(const Json& stream) {
    return std::ranges::count_if(stream.at("links"),
                                 [](const Json& link) { return link.at("state") == "open"; });
  }
  static void expect_nothing_amiss(const Json& status) {
    for (const auto* counter : {"lost", "duplicated", "held", "reordered", "torn", "unreadable"})
      EXPECT_EQ(status.at("checks").at(counter), 0) << counter;
  }

  SeveralPcs pcs_;
};

TEST_F(ShowOverSeveralPcs, RunsAndEachStreamUsesBothCables) {
  ASSERT_NO_FATAL_FAILURE(start_nodes_and_apply());
  static_cast<void>(status_after_checking(400));
  const auto now = status_that(is_complete);
  expect_nothing_amiss(now);
  ASSERT_EQ(now.at("nodes").size(), 3U);
  for (const auto& node : now.at("nodes"))
    EXPECT_EQ(node.at("health"), "healthy") << node;
  ASSERT_EQ(now.at("streams").size(), 2U);
  for (const auto& stream : now.at("streams")) {
    const std::string rack = stream.at("name") == "left" ? "rack1" : "rack2";
    ASSERT_EQ(stream.at("links").size(), 2U) << stream;
    for (int cable = 0; cable < NetworkNamespaces::kCables; ++cable) {
      const auto& link = stream.at("links").at(static_cast<std::size_t>(cable));
      EXPECT_EQ(link.at("state"), "open") << link;
      EXPECT_THAT(link.at("local").get<std::string>(),
                  StartsWith(pcs_.network().address(rack, cable)));
      EXPECT_THAT(link.at("remote").get<std::string>(),
                  StartsWith(pcs_.network().address("desk", cable)));
      const auto bytes = link.at("bytes").get<std::uint64_t>();
      EXPECT_GT(bytes, 10'000'000U) << link;
      EXPECT_GE(pcs_.network().bytes_sent(rack, cable), bytes)
          << "not all of it went over this cable";
    }
  }
}

TEST_F(ShowOverSeveralPcs, ANodeThatIsToldNoCardOffersAllButLoopback) {
  pcs_.start("free", "rack2",
             std::string("submix-node --name free --nats ") + kNats + " --key show.key");
  EXPECT_TRUE(pcs_.wait_until_log_says("free", "streams come in at 198.18.0.3 port"));
  EXPECT_TRUE(pcs_.wait_until_log_says("free", "streams come in at 198.18.1.3 port"));
  EXPECT_THAT(pcs_.log_of("free"), Not(HasSubstr("streams come in at 127.")));
}

TEST_F(ShowOverSeveralPcs, ACardThatIsSwitchedOffAndOnIsLeftAndTakenUpAgain) {
  ASSERT_NO_FATAL_FAILURE(start_nodes_and_apply());
  expect_nothing_amiss(status_after_checking(100));
  expect_ok(pcs_.run(
      "desk",
      "ip link set card1 down"));  // the receiver's card: the racks learn of it from the receiver's node
  const auto second_link_says = [&](const std::string& state, const std::string& error) {
    const auto says_so = [&](const Json& now) {
      const auto link = now.value(Json::json_pointer("/streams/0/links/1"), Json::object());
      return link.value("state", "") == state &&
             link.value("error", "").find(error) != std::string::npos;
    };
    return says_so(status_that(says_so));
  };
  EXPECT_TRUE(second_link_says("connecting", "node mix: the card with 198.18.1.1"));
  EXPECT_THAT(pcs_.log_of("mix"), HasSubstr("card card1 (198.18.1.1): is off"));
  const auto checked = status().at("checks").at("checked").get<std::uint64_t>();
  expect_nothing_amiss(status_after_checking(checked + 100));  // over the other cable
  expect_ok(pcs_.run("desk", "ip link set card1 up"));
  EXPECT_TRUE(second_link_says("open", ""));
  EXPECT_TRUE(pcs_.wait_until_log_says("mix", "card card1 (198.18.1.1): is back"));
  expect_nothing_amiss(status_after_checking(checked + 300));
}

/// Measures gaps between a node's readings.
class Silence {
 public:
  using Clock = std::chrono::steady_clock;

  void hear() {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    if (heard_) longest_ = std::max(longest_, now - *heard_);
    heard_ = now;
  }
  /// The longest gap so far; empty during a gap.
  std::optional<Clock::duration> longest() {
    const std::lock_guard lock(mutex_);
    const bool is_silent = !heard_ || Clock::now() - *heard_ > std::chrono::milliseconds(400);
    return is_silent ? std::nullopt : std::optional(longest_);
  }

 private:
  std::mutex mutex_;
  std::optional<Clock::time_point> heard_;
  Clock::duration longest_{0};
};

class ControlCable : public ShowOverSeveralPcs {
 protected:
  /// Cuts rack1's first cable, which carries its control connection, and judges the node's readings
  /// at the desk.
  void expect_control_is_back_in_time(const std::string& cut) {
    ASSERT_NO_FATAL_FAILURE(start_nodes_and_apply());
    expect_nothing_amiss(status_after_checking(100));
    pcs_.network().run_on("desk", [&] {
      const auto key = cluster::ShowKey::read(pcs_.folder_of("desk") / "show.key");
      ASSERT_TRUE(key.has_value()) << key.error().message;
      auto bus = cluster::Bus::connect({"nats://127.0.0.1:4222", "test", *key});
      ASSERT_TRUE(bus.has_value()) << bus.error().message;
      cluster::Cluster control(**bus);
      Silence silence;
      const auto readings = control.subscribe_readings([&](const telemetry::NodeReading& reading) {
        if (reading.node == "left") silence.hear();
      });
      const auto deadline = Silence::Clock::now() + SeveralPcs::kPatience;
      while (!silence.longest() && Silence::Clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until the first reading
      expect_ok(pcs_.run("rack1", cut));
      while (silence.longest().value_or(kNoSilence) <= kNoSilence &&
             Silence::Clock::now() < deadline)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_GT(silence.longest().value_or(kNoSilence), kNoSilence) << "the cable was not cut";
      EXPECT_LT(silence.longest().value_or(std::chrono::hours(1)), std::chrono::seconds(3));
    });
    EXPECT_THAT(pcs_.log_of("left"), HasSubstr("NATS answers at nats://198.18.1.1:4222"));
    const auto checked = status().at("checks").at("checked").get<std::uint64_t>();
    expect_nothing_amiss(status_after_checking(checked + 100));
  }

  static constexpr Silence::Clock::duration kNoSilence = std::chrono::milliseconds(500);
};

TEST_F(ControlCable, ThatIsUnpluggedTakesNoControlAway) {
  expect_control_is_back_in_time("ip link set card0 down");
}

// The cable carries nothing, and neither card reports it.
TEST_F(ControlCable, ThatGoesDeadWithoutASignTakesNoControlAway) {
  expect_control_is_back_in_time("tc qdisc add dev card0 root pfifo limit 0");
}

/// A performer with two cables of 1 Gbit/s to the desk. One cable falls to a fiftieth of its rate.
class SlowCable : public ShowOverSeveralPcs {
 protected:
  void play(const std::string& size) {
    pcs_.start("mix", "desk",
               "submix-node --name mix --nats nats://127.0.0.1:4222 --key show.key"
               " --data-address 198.18.0.1 --data-address 198.18.1.1 --data-port 7400");
    pcs_.start(
        "left", "rack1",
        std::string("submix-node --name left --nats ") + kNats +
            " --key show.key --data-address 198.18.0.2 --data-address 198.18.1.2 --data-port 7400");
    for (const auto* node : {"mix", "left"})
      ASSERT_TRUE(pcs_.wait_until_log_says(node, "control plane: connected"));
    for (const int cable : {0, 1})
      ASSERT_TRUE(pcs_.network().shape("rack1", cable, 1000));
    const auto show = fmt::format(kOnePerformer, size);
    ASSERT_TRUE(write_file_atomically(pcs_.folder_of("rack2") / "my-show.toml", show).has_value());
    expect_ok(pcs_.run("rack2", kAnywhere + "submix apply my-show.toml"));
    const auto carries = [](const Json& now) { return carried_by_each_link(now) > 1; };
    ASSERT_TRUE(carries(status_that(carries)));
    std::this_thread::sleep_for(std::chrono::seconds(2));  // until the rate of one second is known
  }

  static double carried_by_each_link(const Json& status) {
    double least = 0;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto pointer = fmt::format("/streams/0/links/{}/best_mb_per_second", i);
      const double best = status.value(Json::json_pointer(pointer), 0.0);
      least = i == 0 ? best : std::min(least, best);
    }
    return least;
  }

  std::string alerts() { return pcs_.run("rack2", kAnywhere + "submix alerts --json").output; }

  void expect_alert_while_it_is_slow() {
    const std::string told = "link 1 of left";
    ASSERT_THAT(alerts(), Not(HasSubstr("thing")));
    ASSERT_TRUE(pcs_.network().shape("rack1", 1, 20));
    const auto deadline = std::chrono::steady_clock::now() + SeveralPcs::kPatience;
    while (alerts().find(told) == std::string::npos &&
           std::chrono::steady_clock::now() < deadline) {
    }
    constexpr int kLooks = 3;
    for (int i = 0; i < kLooks; ++i) {
      const auto now = alerts();
      EXPECT_THAT(now, HasSubstr(told)) << "look " << i;
      EXPECT_THAT(now, HasSubstr("the show has no spare left")) << "look " << i;
    }
    ASSERT_TRUE(pcs_.network().shape("rack1", 1, 1000));
    while (alerts().find(told) != std::string::npos &&
           std::chrono::steady_clock::now() < deadline) {
    }
    EXPECT_THAT(alerts(), Not(HasSubstr("thing")));
  }

  static constexpr const char* kOnePerformer = R"toml(
[show]
name = "one"
size = {}
rate = 30

[[node]]
name = "left"
[[node]]
name = "mix"

[[submix]]
name = "left"
node = "left"
slot = [ {{ name = "pattern", plugin = "pattern" }}, {{ name = "out", plugin = "stream-out" }} ]

[[submix]]
name = "mix"
node = "mix"
slot = [ {{ name = "left", plugin = "stream-in" }}, {{ name = "end", plugin = "null" }} ]

[[stream]]
name = "left"
from = "left.out"
to = "mix.left"
links = 2
)toml";
};

TEST_F(SlowCable, IsToldThoughTheOtherSufficesForALargePicture) {
  ASSERT_NO_FATAL_FAILURE(play("[1280, 720]"));  // 83 MB/s
  expect_alert_while_it_is_slow();
}

TEST_F(SlowCable, IsToldThoughTheOtherSufficesForASmallPicture) {
  ASSERT_NO_FATAL_FAILURE(play("[640, 360]"));  // 21 MB/s
  expect_alert_while_it_is_slow();
}

TEST_F(ShowOverSeveralPcs, TheBottleneckIsTheSlowCableThenTheNodeThatDied) {
  ASSERT_NO_FATAL_FAILURE(start_nodes_and_apply());
  static_cast<void>(status_after_checking(100));
  const auto wait_for_bottleneck = [&](const std::string& name, const Json& value) {
    const auto deadline = std::chrono::steady_clock::now() + SeveralPcs::kPatience;
    Json now;
    do {
      const auto outcome = pcs_.run("rack1", kAnywhere + "submix bottleneck --json");
      expect_ok(outcome);
      now = Json::parse(outcome.output, nullptr, false);
    } while (now.at(name) != value && std::chrono::steady_clock::now() < deadline);
    EXPECT_EQ(now.at(name), value) << now;
    return now;
  };
  expect_ok(
      pcs_.run("rack2", "tc qdisc add dev card0 root tbf rate 200mbit burst 128kb latency 50ms"));
  expect_ok(
      pcs_.run("rack2", "tc qdisc add dev card1 root tbf rate 20mbit burst 128kb latency 50ms"));
  const auto link = wait_for_bottleneck("link", 1);
  EXPECT_EQ(link.at("kind"), "link");
  EXPECT_EQ(link.at("stream"), "right");
  EXPECT_THAT(link.at("sentence").get<std::string>(),
              StartsWith("mix waits for right: stream \"right\" carries"));
  pcs_.kill("right");
  const auto node = wait_for_bottleneck("kind", "standstill");
  EXPECT_THAT(node.at("sentence").get<std::string>(), HasSubstr("node \"right\""));
}

TEST_F(ShowOverSeveralPcs, NobodyComesInWithoutAKey) {
  const auto node = pcs_.run("rack2", std::string("submix-node --name stranger --nats ") + kNats);
  EXPECT_GT(node.status, 0) << node.output;
  EXPECT_THAT(node.output, HasSubstr("--key"));
  const auto command = pcs_.run("rack2", std::string("submix --nats ") + kNats + " status");
  EXPECT_GT(command.status, 0) << command.output;
  EXPECT_THAT(command.output, HasSubstr("--key"));
  const auto server = pcs_.run("desk", "submix nats --port 4223 --listen 198.18.1.1");
  EXPECT_GT(server.status, 0) << server.output;
  EXPECT_THAT(server.output, HasSubstr("submix key new"));

  // NATS itself refuses a client that bypasses our programs.
  ASSERT_TRUE(write_file_atomically(pcs_.folder_of("rack2") / "talk.sh",
                                    "exec 3<>/dev/tcp/198.18.0.1/4222\n"
                                    "printf 'CONNECT {}\\r\\nPING\\r\\n' >&3\n"
                                    "timeout 10 cat <&3\n")
                  .has_value());
  const auto said = pcs_.run("rack2", "bash talk.sh").output;
  EXPECT_THAT(said, HasSubstr("\"tls_required\":true"));
  EXPECT_THAT(said, Not(HasSubstr("PONG")));
}

TEST_F(ShowOverSeveralPcs, NobodyComesInWithAnotherKey) {
  expect_ok(pcs_.run("rack2", "submix key new wrong.key"));
  pcs_.start("stranger", "rack2",
             std::string("submix-node --name stranger --nats ") + kNats + " --key wrong.key");
  EXPECT_TRUE(pcs_.wait_until_log_says("stranger", "has another key"));
  const auto command =
      pcs_.run("rack2", std::string("submix --key wrong.key status --nats ") + kNats);
  EXPECT_GT(command.status, 0) << command.output;
  EXPECT_THAT(command.output, HasSubstr("has another key"));
  EXPECT_TRUE(status().at("nodes").empty());
  EXPECT_THAT(pcs_.log_of("stranger"), Not(HasSubstr("control plane: connected")));
}

TEST_F(ShowOverSeveralPcs, ADataPortRefusesAnotherKeyAndTheShowGoesOn) {
  ASSERT_NO_FATAL_FAILURE(start_nodes_and_apply());
  pcs_.start("watch", "rack1", kAnywhere + "submix watch --json --seconds 120");
  ASSERT_TRUE(pcs_.wait_until_log_says("watch", "checked"));
  pcs_.network().run_on("rack2", [&] {
    struct : EventSink {
      void report(Severity, std::string, std::string) override {}
    } ignored;
    const auto plane =
        link::DataPlane::start({"intruder", {"198.18.0.3"}, 0, wire::Key{1, 2, 3}, &ignored});
    ASSERT_TRUE(plane.has_value()) << plane.error().message;
    const auto sender = (*plane)->open_sender({"left", {1024, 768}, {120, 1}, 4, {.count = 1}});
    ASSERT_TRUE(sender.has_value()) << sender.error().message;
    (*sender)->set_destination("mix",
                               {{.address = "198.18.0.1", .prefix_length = 24, .port = 7400}});
    EXPECT_TRUE(pcs_.wait_until_log_says("watch", "node mix has another key"));
    EXPECT_THAT(pcs_.log_of("mix"), HasSubstr("connection from 198.18.0.3:"));
  });
  const auto checked = status().at("checks").at("checked").get<std::uint64_t>();
  expect_nothing_amiss(status_after_checking(checked + 100));
}

TEST_F(ShowOverSeveralPcs, AKeyThatOthersCanReadIsRefused) {
  expect_ok(pcs_.run("rack2", "chmod 0644 show.key"));
  const auto expect_refused = [](const SeveralPcs::Outcome& outcome) {
    EXPECT_GT(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr("mode 0644"));
    EXPECT_THAT(outcome.output, HasSubstr("chmod 600 show.key"));
  };
  expect_refused(pcs_.run(
      "rack2", std::string("submix-node --name open --nats ") + kNats + " --key show.key"));
  expect_refused(pcs_.run("rack2", kAnywhere + "submix status"));
  expect_refused(pcs_.run("rack2", "submix --key show.key nats --port 4223 --listen 198.18.0.3"));
}

TEST_F(ShowOverSeveralPcs, TheDoctorTellsWhichWayToANodeIsBlocked) {
  ASSERT_NO_FATAL_FAILURE(start_nodes_and_apply());
  // rack1 drops what it would send to desk over the first cable, as a firewall would.
  expect_ok(pcs_.run("rack1", "ip route add blackhole 198.18.0.1/32"));
  const auto doctor = pcs_.run("desk", kAnywhere + "submix --json doctor");
  EXPECT_EQ(doctor.status, 1) << doctor.output;
  const auto grade_of = [&doctor](const std::string& address) -> std::string {
    std::istringstream lines(doctor.output);
    for (std::string line; std::getline(lines, line);) {
      const auto finding = Json::parse(line, nullptr, false);
      if (finding.value("found", "").starts_with(address)) return finding.value("grade", "");
    }
    return "not tried";
  };
  EXPECT_EQ(grade_of("198.18.0.2:7400"), "bad") << doctor.output;
  EXPECT_EQ(grade_of("198.18.1.2:7400"), "good") << doctor.output;
  EXPECT_EQ(grade_of("198.18.0.3:7400"), "good") << doctor.output;
  EXPECT_EQ(grade_of("nats://198.18.1.1:4222"), "good") << doctor.output;
  const auto checked = status().at("checks").at("checked").get<std::uint64_t>();
  expect_nothing_amiss(status_after_checking(checked + 100));  // the second cable carries all
}

}  // namespace
}  // namespace submix::testing
