// SPDX-License-Identifier: GPL-3.0-or-later
// One output with three receivers, in real processes: no receiver affects the others.

#include "tests/system/live_cluster.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

namespace submix::testing {
namespace {

using ::testing::HasSubstr;

// The mix has a budget that no load of this machine uses up; the receiver that will hang has a
// short budget. The picture is small, since three receivers and other programs share the cores.
constexpr const char* kFanOutShow = R"toml(
[show]
name = "fan-out"
size = [320, 240]
rate = 30

[[node]]
name = "source"
[[node]]
name = "mix"
[[node]]
name = "monitor"
[[node]]
name = "frail"

[[submix]]
name = "source"
node = "source"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "mix"
node = "mix"
slot = [ { name = "in", plugin = "stream-in" }, { name = "check", plugin = "checker" } ]

[[submix]]
name = "monitor"
node = "monitor"
slot = [ { name = "in", plugin = "stream-in" }, { name = "check", plugin = "checker" } ]

[[submix]]
name = "frail"
node = "frail"
slot = [ { name = "in", plugin = "stream-in" }, { name = "check", plugin = "checker" } ]

[[stream]]
name = "to-mix"
from = "source.out"
to = "mix.in"
pause_budget_ms = 60000
links = 2
local = "off"

[[stream]]
name = "to-monitor"
from = "source.out"
to = "monitor.in"
policy = "latest"
links = 1
local = "off"

[[stream]]
name = "to-frail"
from = "source.out"
to = "frail.in"
pause_budget_ms = 500
links = 1
local = "off"
)toml";

const model::StreamView* stream_of(const model::ClusterView& view, std::string_view name) {
  const auto found =
      std::find_if(view.streams.begin(), view.streams.end(),
                   [&](const model::StreamView& stream) { return stream.name == name; });
  return found == view.streams.end() ? nullptr : &*found;
}

bool is_detached(const model::ClusterView& view, std::string_view name) {
  const auto* stream = stream_of(view, name);
  return stream != nullptr && !stream->sender.detached.empty();
}

std::uint64_t skipped_of(const model::ClusterView& view, std::string_view name) {
  const auto* stream = stream_of(view, name);
  return stream == nullptr ? 0 : stream->sender.frames_skipped;
}

bool has_event(const model::ClusterView& view, const std::vector<std::string>& parts) {
  return std::any_of(view.events.begin(), view.events.end(), [&](const model::EventView& event) {
    return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
      return event.event.text.find(part) != std::string::npos;
    });
  });
}

class FanOutOfProcesses : public ::testing::Test {
 protected:
  // A receiver that starts late may be detached for a while. The test waits until every receiver is
  // attached.
  void SetUp() override {
    for (const auto* node : {"source", "mix", "monitor", "frail"})
      cluster_.start_node(node);
    cluster_.apply(kFanOutShow);
    ASSERT_TRUE(eventually([](const model::ClusterView& view) {
      return frames_of(view, "mix", "check") > 30 && frames_of(view, "monitor", "check") > 0 &&
             frames_of(view, "frail", "check") > 30 && !is_detached(view, "to-frail");
    }));
  }

  [[nodiscard]] bool eventually(const std::function<bool(const model::ClusterView&)>& is_so) const {
    return cluster_.wait_until(is_so, LiveCluster::kPatience);
  }
  [[nodiscard]] bool do_frames_flow(const char* submix, std::uint64_t frames = 60) const {
    const auto before = frames_of(*cluster_.view(), submix, "check");
    return eventually([&](const model::ClusterView& view) {
      return frames_of(view, submix, "check") >= before + frames;
    });
  }

  /// Checks every frame since the first: each came once and complete.
  void expect_nothing_amiss_at_mix() const {
    const auto view = cluster_.view();
    for (const auto* counter : {"lost", "duplicated", "held", "reordered", "torn", "unreadable"})
      EXPECT_EQ(counter_of(*view, "mix", "check", counter), 0U) << counter;
    EXPECT_EQ(counter_of(*view, "mix", "check", "epochs"), 1U) << "the stream was begun anew";
    EXPECT_EQ(skipped_of(*view, "to-mix"), 0U);
    EXPECT_FALSE(is_detached(*view, "to-mix"));
  }
  /// Checks the frames that came: complete and in order. Other frames were skipped.
  void expect_order_at(const char* submix) const {
    const auto view = cluster_.view();
    for (const auto* counter : {"duplicated", "held", "reordered", "torn", "unreadable"})
      EXPECT_EQ(counter_of(*view, submix, "check", counter), 0U) << submix << ' ' << counter;
  }

  void set_policy(const std::string& stream, const std::string& policy) {
    const auto program = std::filesystem::path(SUBMIX_NODE).parent_path() / "submix";
    auto started = ChildProcess::start(
        {program.string(), "--nats", cluster_.nats_url(), "policy", stream, policy},
        cluster_.folder() / "policy.log");
    ASSERT_TRUE(started.has_value()) << started.error().message;
    ASSERT_TRUE(cluster_.wait_until(
        [&](const model::ClusterView&) { return started->exit_status().has_value(); },
        LiveCluster::kPatience));
    EXPECT_EQ(started->exit_status(), 0);
  }

  LiveCluster cluster_;
};

TEST_F(FanOutOfProcesses, AReceiverThatHangsIsDetachedAndComesBackWhileTheOthersMissNothing) {
  cluster_.freeze_node("monitor");
  EXPECT_TRUE(eventually(
      [](const model::ClusterView& view) { return skipped_of(view, "to-monitor") > 0; }));
  EXPECT_TRUE(do_frames_flow("frail")) << "a receiver of policy latest holds others up";

  cluster_.freeze_node("frail");
  ASSERT_TRUE(
      eventually([](const model::ClusterView& view) { return is_detached(view, "to-frail"); }));
  EXPECT_THAT(stream_of(*cluster_.view(), "to-frail")->sender.detached,
              HasSubstr("submix policy to-frail latest"));
  EXPECT_TRUE(eventually([](const model::ClusterView& view) {
    return has_event(view, {"stream to-frail", "detached", "submix policy to-frail latest"});
  }));
  EXPECT_TRUE(do_frames_flow("mix"));
  EXPECT_FALSE(is_detached(*cluster_.view(), "to-monitor")) << "nobody waits for it anyway";

  cluster_.thaw_node("frail");
  EXPECT_TRUE(eventually([](const model::ClusterView& view) {
    return !is_detached(view, "to-frail") && has_event(view, {"stream to-frail", "attached again"});
  }));
  EXPECT_TRUE(do_frames_flow("frail"));
  cluster_.thaw_node("monitor");
  EXPECT_TRUE(do_frames_flow("monitor"));
  EXPECT_GT(skipped_of(*cluster_.view(), "to-frail"), 0U);
  expect_order_at("frail");
  expect_order_at("monitor");
  expect_nothing_amiss_at_mix();
}

TEST_F(FanOutOfProcesses, APolicyChangesWhileFramesFlow) {
  ASSERT_NO_FATAL_FAILURE(set_policy("to-frail", "latest"));
  ASSERT_TRUE(eventually([](const model::ClusterView& view) {
    return stream_of(view, "to-frail")->policy == show::InputPolicy::latest;
  }));
  cluster_.freeze_node("frail");
  const auto before = skipped_of(*cluster_.view(), "to-frail");
  EXPECT_TRUE(eventually(
      [&](const model::ClusterView& view) { return skipped_of(view, "to-frail") > before + 60; }));
  EXPECT_FALSE(is_detached(*cluster_.view(), "to-frail")) << "it was waited for";

  ASSERT_NO_FATAL_FAILURE(set_policy("to-frail", "wait"));
  EXPECT_TRUE(
      eventually([](const model::ClusterView& view) { return is_detached(view, "to-frail"); }));
  EXPECT_TRUE(do_frames_flow("mix"));
  cluster_.thaw_node("frail");
  EXPECT_TRUE(
      eventually([](const model::ClusterView& view) { return !is_detached(view, "to-frail"); }));
  EXPECT_TRUE(do_frames_flow("frail"));
  expect_order_at("frail");
  expect_nothing_amiss_at_mix();
}

}  // namespace
}  // namespace submix::testing
