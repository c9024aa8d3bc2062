// SPDX-License-Identifier: GPL-3.0-or-later
// A pause of a real show costs no input its budget, however long it lasts.

#include "tests/system/live_cluster.hpp"

#include "controller/model/verdict/ledger.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <thread>

namespace submix::testing {
namespace {

constexpr auto kSeveralBudgets = std::chrono::seconds(6);
constexpr auto kFreeze = std::chrono::milliseconds(400);
constexpr const char* kCounters[] = {"lost", "duplicated", "held", "reordered"};

// The source has a window of its own, so it is no faster than the mix. The mix has room for more
// frames than are in flight, so it waits for a frame in a pause. Its budget exceeds what the load
// of a test machine costs.
constexpr const char* kPausedShow = R"toml(
[show]
name = "pause"
size = [320, 240]
rate = 30

[[node]]
name = "source"
[[node]]
name = "mix"

[[submix]]
name = "source"
node = "source"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
  { name = "monitor", plugin = "null", inputs = ["stamp"] },
]

[[submix]]
name = "mix"
node = "mix"
slot = [
  { name = "in", plugin = "stream-in" },
  { name = "check", plugin = "checker" },
  { name = "one", plugin = "frei0r/invert0r" },
  { name = "two", plugin = "frei0r/invert0r" },
  { name = "three", plugin = "frei0r/invert0r" },
  { name = "four", plugin = "frei0r/invert0r" },
  { name = "five", plugin = "frei0r/invert0r" },
  { name = "six", plugin = "frei0r/invert0r" },
  { name = "end", plugin = "null" },
]

[[stream]]
name = "main"
from = "source.out"
to = "mix.in"
policy = "hold"
pause_budget_ms = 2500
links = 1
local = "off"
)toml";

class PauseOfProcesses : public ::testing::Test {
 protected:
  // A source that starts late may be detached for a while. The test waits until it is attached.
  void SetUp() override {
    cluster_.start_node("source");
    cluster_.start_node("mix");
    cluster_.apply(kPausedShow);
    ASSERT_TRUE(eventually([](const model::ClusterView& view) {
      return frames_of(view, "mix", "end") > 30 && end_of(view).detached.empty();
    }));
    ASSERT_NO_FATAL_FAILURE(use_up_what_is_queued());
  }
  // The source does not catch up on missed frames. The mix shows its frames and waits within its
  // budget.
  void use_up_what_is_queued() {
    cluster_.freeze_node("source");
    std::this_thread::sleep_for(kFreeze);
    cluster_.thaw_node("source");
    const auto made = frames_of(*cluster_.view(), "source", "monitor");
    ASSERT_TRUE(eventually(
        [&](const auto& view) { return frames_of(view, "source", "monitor") > made + 15; }));
    ASSERT_EQ(end_of(*cluster_.view()).detached, "");
    held_before_ = end_of(*cluster_.view()).frames_duplicated;
    for (const auto* counter : kCounters)
      counters_[counter] = counter_of(*cluster_.view(), "mix", "check", counter).value_or(0);
  }

  static const model::StreamEndView& end_of(const model::ClusterView& view) {
    return view.streams.front().receiver;
  }
  [[nodiscard]] bool eventually(const std::function<bool(const model::ClusterView&)>& is_so) const {
    return cluster_.wait_until(is_so, LiveCluster::kPatience);
  }
  // On a busy machine a frame may be queued again before the pause begins.
  void pause_without_a_queue() {
    constexpr int kPausesMax = 5;
    for (int pauses = 1;; ++pauses) {
      cluster_.set_paused(true);
      ASSERT_TRUE(cluster_.wait_until_still());
      if (end_of(*cluster_.view()).frames_queued < 1 || pauses == kPausesMax) return;
      cluster_.set_paused(false);
      ASSERT_NO_FATAL_FAILURE(use_up_what_is_queued());
    }
  }
  void expect_paused_for_long() {
    ASSERT_NO_FATAL_FAILURE(pause_without_a_queue());
    std::this_thread::sleep_for(kSeveralBudgets);  // nothing must happen
    ASSERT_LT(end_of(*cluster_.view()).frames_queued, 1U) << "the mix waits for a frame";
  }
  void expect_goes_on_with_every_frame() {
    cluster_.set_paused(false);
    const auto shown = frames_of(*cluster_.view(), "mix", "end");
    EXPECT_TRUE(
        eventually([&](const auto& view) { return frames_of(view, "mix", "end") > shown + 60; }));
    const auto view = cluster_.view();
    EXPECT_EQ(end_of(*view).frames_duplicated, held_before_);
    EXPECT_EQ(end_of(*view).detached, "");
    for (const auto* counter : kCounters)
      EXPECT_EQ(counter_of(*view, "mix", "check", counter), counters_.at(counter)) << counter;
    EXPECT_TRUE(
        eventually([](const auto& seen) { return model::is_balanced(model::make_ledger(seen)); }));
  }

  LiveCluster cluster_;
  std::uint64_t held_before_ = 0;
  std::map<std::string, std::uint64_t> counters_;
};

TEST_F(PauseOfProcesses, HoldsNoPictureOfAnInputThatWaitsInIt) {
  ASSERT_NO_FATAL_FAILURE(expect_paused_for_long());
  expect_goes_on_with_every_frame();
}

TEST_F(PauseOfProcesses, HoldsNoPictureInAStep) {
  ASSERT_NO_FATAL_FAILURE(expect_paused_for_long());
  const auto shown = frames_of(*cluster_.view(), "mix", "end");
  for (std::uint64_t steps = 1; steps <= 3; ++steps) {
    cluster_.step();
    ASSERT_TRUE(eventually(
        [&](const auto& view) { return frames_of(view, "mix", "end") == shown + steps; }));
  }
  std::this_thread::sleep_for(kSeveralBudgets);  // nothing is to happen
  expect_goes_on_with_every_frame();
}

}  // namespace
}  // namespace submix::testing
