// SPDX-License-Identifier: GPL-3.0-or-later
// The trace of all nodes, on one clock.

#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include "common/base/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <utility>

namespace submix::testing {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kTraceBytesMax = std::size_t{256} << 20;

/// Times at which a stream's frames were first sent or received, in microseconds.
using FrameTimes = std::map<std::uint64_t, double>;

struct Threads {
  std::map<std::string, std::set<std::string>> names;  // by node
  std::map<std::string, FrameTimes> times;             // of streams, by thread
};

Threads read_threads(const Json& trace) {
  Threads threads;
  std::map<int, std::string> nodes;
  std::map<std::pair<int, int>, std::string> names;
  for (const auto& event : trace["traceEvents"]) {
    const int process = event["pid"];
    const std::pair thread(process, event["tid"].get<int>());
    if (event["name"] == "process_name") nodes[process] = event["args"]["name"];
    if (event["name"] == "thread_name") {
      names[thread] = event["args"]["name"];
      threads.names[nodes.at(process)].insert(names[thread]);
    }
    if (event["name"] != "sent" && event["name"] != "received") continue;
    const double time = event["ts"];
    const auto known =
        threads.times[names.at(thread)].try_emplace(event["args"]["frame"], time).first;
    known->second = std::min(known->second, time);
  }
  return threads;
}

class Traces : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"})
      cluster_.start_node(node);
  }

  void run_show(const std::string& toml) {
    cluster_.apply(toml);
    ASSERT_TRUE(cluster_.wait_until_all_run());
    ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
      return std::ranges::all_of(view.streams, [](const auto& each) {
        return each.sender.round_trip.count() > 0 && each.receiver.frames > 200;
      });
    }));
  }

  /// The output of `submix trace`.
  [[nodiscard]] Json trace() const {
    const auto file = cluster_.folder() / "trace.json";
    const auto program = std::filesystem::path(SUBMIX_NODE).parent_path() / "submix";
    auto process = ChildProcess::start({program.string(), "trace", "--nats", cluster_.nats_url(),
                                        "-o", file.string(), "--seconds", "10"},
                                       cluster_.folder() / "trace.log");
    EXPECT_TRUE(process);
    while (process && !process->exit_status())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(process->exit_status(), 0)
        << read_text_file(cluster_.folder() / "trace.log").value_or("");
    return Json::parse(read_text_file(file, kTraceBytesMax).value_or(""), nullptr, false);
  }

  /// A trace taken after a stream has measured each node's clock.
  [[nodiscard]] Json trace_by_streams() const {
    const auto is_by_streams = [](const Json& trace) {
      if (!trace.is_object()) return false;
      const auto nodes = trace.value(Json::json_pointer("/otherData/nodes"), Json::array());
      return nodes.size() == 3 && std::ranges::all_of(nodes, [](const Json& node) {
               return node.at("clock") == "stream";
             });
    };
    constexpr int kTracesMax = 10;
    auto taken = trace();
    for (int i = 1; i < kTracesMax && !is_by_streams(taken); ++i)
      taken = trace();
    return taken;
  }

  void expect_causality() const;

  LiveCluster cluster_;
};

void Traces::expect_causality() const {
  const auto json = trace_by_streams();
  ASSERT_TRUE(json.is_object());
  const auto threads = read_threads(json);
  const std::map<std::string, std::set<std::string>> expected{
      {"left", {"left.pattern", "left.stamp", "left.out", "stream left, sent"}},
      {"right",
       {"right.pattern", "right.invert", "right.stamp", "right.out", "stream right, sent"}},
      {"mix",
       {"mix.left", "mix.check-left", "mix.right", "mix.check-right", "mix.fade",
        "stream left, received", "stream right, received"}}};
  EXPECT_EQ(threads.names, expected);
  double tolerance_us = 0;
  for (const auto& node : json["otherData"]["nodes"]) {
    EXPECT_EQ(node["clock"], "stream");
    tolerance_us = std::max(tolerance_us, node["error_ns"].get<double>() / 1000);
  }
  for (const std::string stream : {"left", "right"}) {
    const auto& sent = threads.times.at("stream " + stream + ", sent");
    const auto& received = threads.times.at("stream " + stream + ", received");
    std::size_t compared = 0;
    for (const auto& [frame, time] : received) {
      const auto begin = sent.find(frame);
      if (begin == sent.end() || begin == sent.begin())
        continue;  // some of its events are older than the test
      ++compared;
      EXPECT_GE(time, begin->second - 2 * tolerance_us) << stream << ", frame " << frame;
    }
    EXPECT_GT(compared, 20U) << stream;
  }
}

TEST_F(Traces, OfAllNodesShowNoFrameBeforeItWasSent) {
  run_show(kCheckedDuo);
  expect_causality();
}

TEST_F(Traces, OfStreamsBySharedMemoryDoSoToo) {
  run_show(without_refusals(kCheckedDuo));
  ASSERT_TRUE(cluster_.wait_until(is_by_shared_memory));
  expect_causality();
}

TEST_F(Traces, AreWrittenForALateFrameAndAtTheEnd) {
  run_show(kCheckedDuo);
  cluster_.freeze_node("left");
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    const auto* left = view.find_node("left");
    return left != nullptr && left->health == model::Health::silent;
  }));
  cluster_.thaw_node("left");
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    return std::ranges::any_of(view.events, [](const auto& each) {
      return each.event.node == "mix" && each.event.about == "mix" &&
             each.event.text.find("missed its deadline: slot \"mix.") != std::string::npos &&
             each.event.text.find("mix-late-mix-") != std::string::npos;
    });
  }));
  cluster_.end_node("mix", SIGTERM);
  std::size_t late = 0;
  for (const auto& file : std::filesystem::directory_iterator(cluster_.folder().path())) {
    const auto name = file.path().filename().string();
    const bool is_late = name.starts_with("mix-late-mix-");
    if (!is_late && name != "mix-end.json") continue;
    late += is_late ? 1 : 0;
    const auto json =
        Json::parse(read_text_file(file.path(), kTraceBytesMax).value_or(""), nullptr, false);
    ASSERT_TRUE(json.is_object()) << name;
    EXPECT_EQ(json["otherData"]["node"], "mix");
    EXPECT_GT(json["traceEvents"].size(), 20U) << name;
  }
  EXPECT_GE(late, 1U);
  EXPECT_TRUE(std::filesystem::exists(cluster_.folder() / "mix-end.json"));
}

}  // namespace
}  // namespace submix::testing
