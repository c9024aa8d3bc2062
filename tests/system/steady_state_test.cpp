// SPDX-License-Identifier: GPL-3.0-or-later
// Readings of real nodes: once streams run, a frame costs neither an allocation nor a page fault.

#include "tests/support/sanitized.hpp"
#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace submix::testing {
namespace {

using testing::kIsSanitized;

constexpr std::uint64_t kSteadyFrames = 120;
constexpr std::chrono::seconds kSteadyPatience(120);  // only a failing test waits so long

/// The totals in every node's readings, and the frames of its last slot.
struct Totals {
  std::vector<std::uint64_t> costs;
  std::vector<std::uint64_t> frames;
};

Totals totals_of(const model::ClusterView& view) {
  Totals totals;
  for (const auto& node : view.nodes) {
    totals.costs.insert(totals.costs.end(), {node.allocations, node.page_faults});
    const auto* submix = view.find_submix(node.name);
    totals.frames.push_back(
        submix == nullptr || submix->stages.empty() ? 0 : submix->stages.back().frames);
  }
  return totals;
}

std::string text_of(const model::ClusterView& view) {
  std::string text;
  for (const auto& node : view.nodes) {
    text += node.name + ": " + std::to_string(node.allocations) + " allocations, " +
            std::to_string(node.page_faults) + " page faults\n";
  }
  return text;
}

bool has_advanced(const Totals& from, const Totals& to) {
  return from.frames.size() == to.frames.size() &&
         std::equal(from.frames.begin(), from.frames.end(), to.frames.begin(),
                    [](auto before, auto after) { return after >= before + kSteadyFrames; });
}

class SteadyState : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kIsSanitized) GTEST_SKIP() << "the sanitizer allocates, and touches memory of its own";
    for (const auto* node : {"left", "right", "mix"})
      cluster_.start_node(node);
  }

  /// Looks for a stretch of kSteadyFrames in which no total grows. Totals may grow earlier, when
  /// links join or control threads do something for the first time. A cost of every frame, or of
  /// every hundredth, leaves no such stretch.
  void expect_frames_without_cost() {
    Totals since;
    EXPECT_TRUE(cluster_.wait_until(
        [&](const model::ClusterView& view) {
          auto now = totals_of(view);
          if (now.costs != since.costs) since = now;
          return has_advanced(since, now);
        },
        kSteadyPatience))
        << text_of(*cluster_.view());
    ASSERT_EQ(since.frames.size(), 3U);
    EXPECT_EQ(std::count(since.costs.begin(), since.costs.end(), 0U), 0)
        << text_of(*cluster_.view());
  }

  LiveCluster cluster_;
};

TEST_F(SteadyState, FramesOverTcpAddNothingToTheTotalsOfANode) {
  cluster_.apply(kCheckedDuo);
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_frames_without_cost();
}

TEST_F(SteadyState, FramesBySharedMemoryAddNothingEither) {
  cluster_.apply(without_refusals(kCheckedDuo));
  ASSERT_TRUE(cluster_.wait_until_all_run());
  ASSERT_TRUE(cluster_.wait_until(is_by_shared_memory));
  expect_frames_without_cost();
}

}  // namespace
}  // namespace submix::testing
