// SPDX-License-Identifier: GPL-3.0-or-later
// `submix simulate` as a process, with a real nats-server, observed by the other commands.
#include "common/base/child_process.hpp"
#include "common/base/files.hpp"
#include "tests/cli/cluster_commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace submix::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Json = nlohmann::json;

constexpr std::chrono::seconds kPatience(40);
constexpr std::chrono::milliseconds kLook(20);

class SimulateTest : public ServedTest {
 protected:
  void start(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {SUBMIX_PROGRAM, "simulate", "--nats", server_->url()});
    auto started = ChildProcess::start(arguments, folder_ / "log");
    ASSERT_TRUE(started) << started.error().message;
    simulation_.emplace(*std::move(started));
  }
  /// Each look takes a second, so the test needs no sleep.
  std::optional<Json> status_that(const std::function<bool(const Json&)>& is_so) {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (std::chrono::steady_clock::now() < deadline) {
      const auto outcome = run({"status", "--json"});
      auto status = Json::parse(outcome.out, nullptr, false);
      if (status.is_object() && is_so(status)) return status;
      last_ = outcome.out.substr(0, 2000) + outcome.err;
    }
    return std::nullopt;
  }
  static std::size_t healthy(const Json& status) {
    std::size_t count = 0;
    for (const auto& node : status["nodes"])
      count += node["health"] == "healthy" ? 1U : 0U;
    return count;
  }
  /// Empty: it does not end.
  std::optional<int> status_at_end() {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    auto status = simulation_->exit_status();
    for (; !status && std::chrono::steady_clock::now() < deadline;
         status = simulation_->exit_status())
      std::this_thread::sleep_for(kLook);
    return status;
  }
  [[nodiscard]] std::string log() const { return read_text_file(folder_ / "log").value_or(""); }

  std::optional<ChildProcess> simulation_;
  std::string last_;
};

TEST_F(SimulateTest, PlaysAsManyNodesAndStreamsAsAskedForAndAllOfThemRun) {
  start({"--nodes", "12", "--streams", "40", "--calm"});
  const auto status = status_that([](const Json& now) {
    return healthy(now) == 12 && now["fps"] > 28 && now["bottleneck"]["kind"] == "nothing";
  });
  ASSERT_TRUE(status) << log() << last_;
  EXPECT_EQ((*status)["streams"].size(), 40U);
  EXPECT_EQ((*status)["submixes"].size(), 12U);
  for (const auto& node : (*status)["nodes"]) {
    EXPECT_THAT(node["host"].get<std::string>(), HasSubstr("simulated"));
    EXPECT_EQ(node["core_shares"].size(), 8U);
  }
}

TEST_F(SimulateTest, FollowsPauseAndAssignment) {
  start({"--nodes", "6", "--calm"});
  ASSERT_TRUE(status_that([](const Json& now) { return now["fps"] > 28; })) << log() << last_;
  EXPECT_EQ(run({"pause"}).status, kOk);
  EXPECT_TRUE(status_that([](const Json& now) { return now["fps"] == 0; })) << last_;
  EXPECT_EQ(run({"resume"}).status, kOk);
  EXPECT_EQ(run({"assign", "output", "sim-01"}).status, kOk);
  EXPECT_TRUE(status_that([](const Json& now) {
    return now["submixes"].back()["node"] == "sim-01" &&
           now["submixes"].back()["state"] == "running" && now["fps"] > 28;
  })) << last_;
}

TEST_F(SimulateTest, AnswersWithPicturesPluginsAndTraces) {
  start({"--nodes", "3", "--calm"});
  ASSERT_TRUE(status_that([](const Json& now) { return now["fps"] > 28; })) << log() << last_;
  const auto picture =
      run({"snapshot", "output", "-o", (folder_ / "a.png").string(), "--width", "160"});
  EXPECT_EQ(picture.status, kOk) << picture.err;
  EXPECT_THAT(run({"plugins"}).out, HasSubstr("frei0r/glow"));
  const auto trace = run({"trace", "-o", (folder_ / "trace.json").string()});
  EXPECT_EQ(trace.status, kOk) << trace.err;
  EXPECT_THAT(trace.out, HasSubstr("3 nodes"));
}

TEST_F(SimulateTest, EditsArePlannedAndRefusedWhereTheClusterCannotDoThem) {
  start({"--nodes", "6", "--streams", "8", "--calm"});
  ASSERT_TRUE(status_that([](const Json& now) { return now["fps"] > 28; })) << log() << last_;
  const auto refused = run({"show", "size", "3840x2160"});
  EXPECT_EQ(refused.status, kFailed);
  EXPECT_THAT(refused.err,
              AllOf(StartsWith("submix: not done: "), HasSubstr("; --force does it all the same")));
  EXPECT_THAT(run({"show", "save", "-"}).out, HasSubstr("[1280, 720]")) << "nothing is written";
  const auto warned = run({"show", "rate", "120"});
  EXPECT_EQ(warned.status, kOk);
  EXPECT_THAT(warned.err, StartsWith("submix: warning: "));
  EXPECT_EQ(run({"bypass", "performer-01.detail"}).err, "");
  const auto forced = run({"show", "size", "3840x2160", "--force"});
  EXPECT_EQ(forced.status, kOk);
  EXPECT_THAT(forced.err, StartsWith("submix: warning: "));
  EXPECT_EQ(run({"show", "size", "640x360"}).err, "") << "less is never refused";
}

TEST_F(SimulateTest, TheWayBackToTheLastGoodShowIsWarnedOfAndNotRefused) {
  start({"--nodes", "6", "--streams", "8", "--calm"});
  ASSERT_TRUE(status_that([](const Json& now) { return now["fps"] > 28; })) << log() << last_;
  ASSERT_EQ(run({"show", "size", "3840x2160"}).status, kFailed);
  const auto bus = cluster::Bus::connect({server_->url(), "test"}).value();
  cluster::Cluster cluster(*bus);
  auto large = show::parse(cluster.show()->value.toml, "show").value();
  large.size = {3840, 2160};
  cluster.keep_good_show({show::to_toml(large), "test"});
  const auto back = run({"show", "size", "3840x2160"});
  EXPECT_EQ(back.status, kOk);
  EXPECT_THAT(back.err, StartsWith("submix: warning: "));
}

TEST_F(SimulateTest, OverwritesNoShowUnlessTold) {
  start({"--nodes", "2", "--seconds", "1"});
  EXPECT_EQ(status_at_end(), 0) << log();
  start({"--nodes", "3", "--seconds", "1"});
  EXPECT_EQ(status_at_end(), 1);
  EXPECT_THAT(log(), HasSubstr("overwrite it with --replace"));
  start({"--seconds", "1"});
  EXPECT_EQ(status_at_end(), 0) << log();
  EXPECT_THAT(log(), HasSubstr("2 simulated nodes run the show \"simulated\""));
  start({"--nodes", "3", "--replace", "--seconds", "1"});
  EXPECT_EQ(status_at_end(), 0) << log();
  EXPECT_THAT(log(), HasSubstr("3 simulated nodes"));
}

TEST_F(SimulateTest, EndsInOrderWhenToldTo) {
  start({"--nodes", "2"});
  ASSERT_TRUE(status_that([](const Json& now) { return healthy(now) == 2; })) << log() << last_;
  simulation_->send_signal(SIGINT);
  EXPECT_EQ(status_at_end(), 0) << log();
}

}  // namespace
}  // namespace submix::cli
