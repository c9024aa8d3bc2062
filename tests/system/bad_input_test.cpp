// SPDX-License-Identifier: GPL-3.0-or-later
// Wrong input by people and peers: each time a clear message, and the running show goes on.

#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include "common/base/child_process.hpp"
#include "common/base/descriptor.hpp"
#include "common/base/files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kNoDescriptor =
    "no free file descriptor: new connections are closed; raise ulimit -n";

std::string with_solo(const std::string& slots) {
  return std::string(kCheckedDuo) + "[[submix]]\nname = \"solo\"\nnode = \"left\"\nslot = [" +
         slots + "]\n";
}

class BadInput : public ::testing::Test {
 protected:
  explicit BadInput(std::string show = kCheckedDuo) : show_(std::move(show)) {}
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"})
      cluster_.start_node(node);
    cluster_.apply(show_);
    ASSERT_TRUE(cluster_.wait_until_all_run());
  }

  using Faults = std::map<std::string, std::optional<std::uint64_t>>;
  /// All that the checkers have found so far.
  [[nodiscard]] Faults faults() const {
    const auto view = cluster_.view();
    Faults found;
    for (const auto* slot : {"check-left", "check-right"}) {
      for (const auto* counter : {"lost", "duplicated", "held", "reordered", "torn"})
        found[std::string(slot) + ' ' + counter] = counter_of(*view, "mix", slot, counter);
    }
    return found;
  }
  [[nodiscard]] bool runs_on() const {
    const auto before = frames_of(*cluster_.view(), "mix", "fade");
    return cluster_.wait_until([&](const model::ClusterView& view) {
      return frames_of(view, "mix", "fade") > before + 60;
    });
  }
  /// `before` are known: the test itself has caused them.
  void expect_show_undisturbed(const Faults& before = {}) {
    EXPECT_TRUE(runs_on());
    for (const auto& [fault, count] : faults()) {
      const auto known = before.find(fault);
      EXPECT_EQ(count, known == before.end() ? std::optional<std::uint64_t>(0) : known->second)
          << fault;
    }
  }

  /// Applies the show with one more submix, waits until this submix has a fault, and returns the
  /// reason.
  std::string error_of_solo(const std::string& slots) {
    cluster_.apply(with_solo(slots));
    const auto has_failed = [](const model::ClusterView& view) {
      const auto* solo = view.find_submix("solo");
      return solo != nullptr && !solo->error.empty();
    };
    EXPECT_TRUE(cluster_.wait_until(has_failed));
    const auto view = cluster_.view();
    const auto* solo = view->find_submix("solo");
    return solo == nullptr ? "" : solo->error;
  }

  bool has_event(const std::string& part) {
    return cluster_.wait_until([&](const model::ClusterView& view) {
      return std::any_of(view.events.begin(), view.events.end(),
                         [&](const model::EventView& event) {
                           return event.event.text.find(part) != std::string::npos;
                         });
    });
  }

  std::uint16_t port_of_mix();
  static Descriptor connect_to(std::uint16_t port);
  static void expect_hang_up(const Descriptor& peer);
  /// Sends `bytes` to the mixing node's data port and waits until the node closes the connection.
  void send_to_mix(const std::string& bytes);

  const std::string show_;
  LiveCluster cluster_;
};

/// The machine stays nearly idle.
class BadInputAtLeisure : public BadInput {
 protected:
  BadInputAtLeisure() : BadInput(at_leisure(kCheckedDuo)) {}

  /// The exit status of a second node with the name "left". Empty: it has started.
  std::optional<int> status_of_second_left() {
    std::filesystem::remove(second_log_);
    auto second = ChildProcess::start(
        {SUBMIX_NODE, "--name", "left", "--nats", cluster_.nats_url()}, second_log_);
    if (!second) throw std::runtime_error(second.error().message);
    EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
      return second->exit_status() ||
             log_of_second().find("this CPU packs pixels") != std::string::npos;
    }));
    return second->exit_status();
  }
  [[nodiscard]] std::string log_of_second() const {
    return read_text_file(second_log_).value_or("");
  }
  /// The second one may have taken its streams.
  void restart_left() {
    cluster_.end_node("left", SIGTERM);
    cluster_.start_node("left");
    ASSERT_TRUE(cluster_.wait_until_all_run());
    ASSERT_TRUE(runs_on());
  }

 private:
  const std::filesystem::path second_log_ = cluster_.folder() / "second.log";
};

// A starting node takes its name for free if one of its questions has no answer within half a
// second, as may happen on a busy machine. The test then tries it once more.
TEST_F(BadInputAtLeisure, ASecondNodeOfANameDoesNotStart) {
  constexpr int kStartsMax = 2;
  Faults before;
  auto status = status_of_second_left();
  for (int starts = 1; !status && starts < kStartsMax && !HasFailure(); ++starts) {
    ASSERT_NO_FATAL_FAILURE(restart_left());
    before = faults();
    status = status_of_second_left();
  }
  EXPECT_EQ(status, 1);
  EXPECT_THAT(log_of_second(),
              HasSubstr("a node with the name \"left\" is in the show of " + cluster_.nats_url() +
                        " already; give this one another --name"));
  expect_show_undisturbed(before);
}

TEST_F(BadInput, AMissingPluginIsNamedWithTheNearest) {
  const auto error = error_of_solo(
      R"({ name = "a", plugin = "pattern" }, { name = "b", plugin = "frei0r/glwo" })");
  EXPECT_THAT(error, HasSubstr("frei0r/glwo"));
  EXPECT_THAT(error, HasSubstr("frei0r/glow"));
  expect_show_undisturbed();
}

TEST_F(BadInput, AMissingClipIsNamed) {
  const auto error =
      error_of_solo(R"({ name = "a", plugin = "clip", parameters = { file = "nowhere.mp4" } })");
  EXPECT_THAT(error, HasSubstr("nowhere.mp4"));
  expect_show_undisturbed();
}

TEST_F(BadInput, AClipChangedToAMissingOneIsNamedWhileTheOldOnePlaysOn) {
  auto ffmpeg = ChildProcess::start({"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
                                     "testsrc=size=320x240:rate=30:duration=1", "-c:v", "mpeg4",
                                     (cluster_.folder() / "here.mkv").string()},
                                    cluster_.folder() / "ffmpeg.log");
  ASSERT_TRUE(ffmpeg.has_value());
  while (!ffmpeg->exit_status()) {
  }
  cluster_.apply(
      with_solo(R"({ name = "a", plugin = "clip", parameters = { file = "here.mkv" } })"));
  ASSERT_TRUE(cluster_.wait_until(
      [](const model::ClusterView& view) { return frames_of(view, "solo", "a") > 0; }));
  const auto error =
      error_of_solo(R"({ name = "a", plugin = "clip", parameters = { file = "gone.mkv" } })");
  EXPECT_THAT(error, HasSubstr("gone.mkv"));
  const auto before = frames_of(*cluster_.view(), "solo", "a");
  EXPECT_TRUE(cluster_.wait_until(
      [&](const model::ClusterView& view) { return frames_of(view, "solo", "a") > before + 60; }));
}

// A pipe without a reader once blocked the slot, and the end of the node, for ever.
TEST_F(BadInputAtLeisure, ARecordingIntoAPipeHoldsUpNeitherFramesNorTheEndOfTheNode) {
  for (const auto* pipe : {"whole.mkv", "last.mkv"})
    ASSERT_EQ(::mkfifo((cluster_.folder() / pipe).c_str(), 0600), 0);
  cluster_.apply(at_leisure(with_solo(R"(
  { name = "a", plugin = "pattern" },
  { name = "whole", plugin = "record", parameters = { file = "whole.mkv" } },
  { name = "last", plugin = "record", parameters = { file = "last.mkv", keep_last_seconds = 5 } },
)")));
  EXPECT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    const auto* solo = view.find_submix("solo");
    const auto* last = solo == nullptr ? nullptr : solo->find_stage("last");
    return last != nullptr && last->frames > 60 &&
           last->trouble.find("is not a plain file") != std::string::npos;
  }));
  expect_show_undisturbed();
  ASSERT_EQ(::kill(cluster_.pid_of("left"), SIGTERM), 0);
  EXPECT_TRUE(cluster_.wait_until(
      [&](const model::ClusterView&) { return !cluster_.is_node_alive("left"); },
      std::chrono::seconds(20)));
}

TEST_F(BadInput, AShowThatCannotBeReadLeavesTheOldOneRunning) {
  const auto before = frames_of(*cluster_.view(), "mix", "fade");
  cluster_.apply("[show]\nname = \"broken\"\nsize = [0, 100000]\n");
  EXPECT_TRUE(has_event("100000"));
  cluster_.apply(kCheckedDuo);  // a view needs a show that can be read
  EXPECT_TRUE(cluster_.wait_until(
      [](const model::ClusterView& view) { return frames_of(view, "mix", "fade") > 0; }));
  EXPECT_GE(frames_of(*cluster_.view(), "mix", "fade"),
            before);  // the count goes on: the slot never stopped
  expect_show_undisturbed();
}

std::uint16_t BadInput::port_of_mix() {
  std::optional<cluster::NodeReport> mix;
  Mutex mutex;
  const auto watch = cluster_.control().watch_reports([&](const cluster::NodeReport& report) {
    MutexLock lock(mutex);
    if (report.node == "mix") mix = report;
  });
  EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
    MutexLock lock(mutex);
    return mix.has_value();
  }));
  MutexLock lock(mutex);
  return mix ? mix->endpoints.at(0).port : 0;
}

Descriptor BadInput::connect_to(std::uint16_t port) {
  Descriptor peer(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  EXPECT_EQ(::connect(peer.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  const timeval patience{20, 0};
  ::setsockopt(peer.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  return peer;
}

void BadInput::expect_hang_up(const Descriptor& peer) {
  char answer[4096];
  ssize_t received = 0;
  while ((received = ::recv(peer.get(), answer, sizeof(answer), 0)) > 0) {
  }
  EXPECT_TRUE(received == 0 || errno == ECONNRESET) << "it did not hang up";
}

void BadInput::send_to_mix(const std::string& bytes) {
  const auto peer = connect_to(port_of_mix());
  ::send(peer.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
  expect_hang_up(peer);
}

TEST_F(BadInput, GarbageOnTheDataPortIsRefusedAndNothingElseNotices) {
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  std::string garbage(100000, '\0');
  for (auto& byte : garbage)
    byte = static_cast<char>(random());
  send_to_mix(garbage);
  send_to_mix("GET / HTTP/1.1\r\nHost: mix\r\n\r\n");
  send_to_mix("");  // an empty connection
  EXPECT_TRUE(has_event("127.0.0.1"));
  expect_show_undisturbed();
}

TEST_F(BadInput, ANodeOutOfDescriptorsTakesNobodyInSaysSoOnceAndRecovers) {
  const auto port = port_of_mix();
  const auto times_said = [&] {
    const auto log = cluster_.log_of("mix");
    std::size_t times = 0;
    for (auto at = log.find(kNoDescriptor); at != std::string::npos;
         at = log.find(kNoDescriptor, at + 1))
      ++times;
    return times;
  };
  cluster_.exhaust_descriptors_of("mix");
  for (int i = 0; i < 40; ++i)  // two seconds of connections: enough for several reports
    expect_hang_up(connect_to(port));
  EXPECT_TRUE(has_event(kNoDescriptor));
  EXPECT_EQ(times_said(), 1U);
  expect_show_undisturbed();

  cluster_.lift_descriptor_limit_of("mix");
  send_to_mix("GET / HTTP/1.1\r\nHost: mix\r\n\r\n");
  EXPECT_TRUE(has_event("not a hello of Submix")) << "it takes nobody in again";
  cluster_.exhaust_descriptors_of("mix");
  expect_hang_up(connect_to(port));
  EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView&) { return times_said() == 2; }));
  cluster_.lift_descriptor_limit_of("mix");
  expect_show_undisturbed();
}

TEST_F(BadInput, ATruncatedClipKeepsItsLastGoodFrame) {
  const auto whole = cluster_.folder() / "whole.mkv";
  auto ffmpeg = ChildProcess::start(
      {"ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i",
       "testsrc=size=320x240:rate=30:duration=4", "-c:v", "mpeg4", whole.string()},
      cluster_.folder() / "ffmpeg.log");
  ASSERT_TRUE(ffmpeg.has_value());
  while (!ffmpeg->exit_status()) {
  }
  ASSERT_EQ(ffmpeg->exit_status(), 0);
  const auto bytes = read_text_file(whole, std::size_t{64} << 20).value();
  ASSERT_TRUE(
      write_file_atomically(cluster_.folder() / "cut.mkv", bytes.substr(0, bytes.size() / 2))
          .has_value());
  cluster_.apply(with_solo(
      R"({ name = "a", plugin = "clip", parameters = { file = "cut.mkv", loop = false } })"));
  EXPECT_TRUE(cluster_.wait_until(
      [](const model::ClusterView& view) { return frames_of(view, "solo", "a") > 480; }));
  expect_show_undisturbed();
}

TEST(NodeProgram, SaysWhichPortIsInUseAndWhatToDo) {
  LiveCluster cluster;
  cluster.start_node("first", {"--data-address", "127.0.0.1", "--data-port", "47123"});
  ASSERT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto* first = view.find_node("first");
    return first != nullptr && first->health == model::Health::healthy;
  }));
  cluster.start_node("second", {"--data-address", "127.0.0.1", "--data-port", "47123"});
  ASSERT_TRUE(cluster.wait_until(
      [&](const model::ClusterView&) { return !cluster.is_node_alive("second"); }));
  EXPECT_THAT(cluster.log_of("second"), HasSubstr("47123"));
  EXPECT_THAT(cluster.log_of("second"), HasSubstr("--data-port"));
}

TEST(NodeProgram, RefusesToBeReachedWithoutAKeyAndSaysHowToMakeOne) {
  LiveCluster cluster;
  cluster.start_node("open", {"--data-address", "0.0.0.0"});
  ASSERT_TRUE(cluster.wait_until(
      [&](const model::ClusterView&) { return !cluster.is_node_alive("open"); }));
  EXPECT_THAT(cluster.log_of("open"), HasSubstr("submix key new"));
}

TEST(NodeProgram, KeepsTryingAnUnreachableNatsAndSaysSo) {
  LiveCluster cluster;
  const auto url = cluster.nats_url();
  cluster.kill_nats();
  cluster.start_node("early");
  EXPECT_TRUE(cluster.wait_until([&](const model::ClusterView&) {
    return cluster.log_of("early").find(url) != std::string::npos;
  })) << cluster.log_of("early");
  cluster.start_nats();
  EXPECT_TRUE(cluster.wait_until([](const model::ClusterView& view) {
    const auto* early = view.find_node("early");
    return early != nullptr && early->health == model::Health::healthy;
  }));
}

}  // namespace
}  // namespace submix::testing
