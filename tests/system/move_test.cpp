// SPDX-License-Identifier: GPL-3.0-or-later
// A submix moves to another node while the show runs: its consumer holds one frame at most, and the count of
// all frames is right.

#include "tests/system/live_cluster.hpp"

#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "controller/model/ledger.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace submix::testing {
namespace {

constexpr std::chrono::seconds kPatience(60);  // only a failing test waits so long

// `source` feeds `effect`, which feeds `mix`; both of the first move between the nodes a and b.
constexpr const char* kShow = R"toml(
[show]
name = "moving"
size = [320, 240]
rate = 30

[[node]]
name = "a"
[[node]]
name = "b"
[[node]]
name = "mix"

[[submix]]
name = "source"
node = "a"
slot = [
  { name = "pattern", plugin = "pattern" },
  { name = "stamp", plugin = "stamp" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "effect"
node = "a"
slot = [
  { name = "in", plugin = "stream-in" },
  { name = "invert", plugin = "frei0r/invert0r" },
  { name = "out", plugin = "stream-out" },
]

[[submix]]
name = "mix"
node = "mix"
slot = [ { name = "in", plugin = "stream-in" }, { name = "sink", plugin = "null" } ]

[[stream]]
name = "raw"
from = "source.out"
to = "effect.in"

[[stream]]
name = "made"
from = "effect.out"
to = "mix.in"
policy = "hold"
pause_budget_ms = 40
)toml";

const model::StreamView& made_of(const model::ClusterView& view) {
  return *std::ranges::find(view.streams, "made", &model::StreamView::name);
}

/// By TCP, as between machines; or, true, by shared memory.
class Moving : public ::testing::TestWithParam<bool> {
 protected:
  Moving() {
    for (auto& stream : show_.streams)
      stream.is_local_allowed = GetParam();
  }
  void SetUp() override {
    for (const auto* node : {"a", "b", "mix"})
      cluster_.start_node(node);
    cluster_.apply(show::to_toml(show_));
    ASSERT_TRUE(cluster_.wait_until_all_run());
    ASSERT_TRUE(
        cluster_.wait_until([](const model::ClusterView& view) { return is_counted(view); }, kPatience));
  }

  static bool is_counted(const model::ClusterView& view) {
    return model::is_balanced(model::make_ledger(view));
  }

  struct Cost {
    std::uint64_t held = 0;  // frames that the consumer repeated meanwhile
    std::uint64_t late = 0;  // frames that came so late that its rate was lowered
  };

  Cost move(std::string_view submix, const std::string& node) {
    const auto before = made_of(*cluster_.view()).receiver;
    const auto late_before = cluster_.view()->find_submix("mix")->late_frames;
    EXPECT_TRUE(show::assign(show_, submix, node).has_value());
    cluster_.apply(show::to_toml(show_));
    EXPECT_TRUE(cluster_.wait_until(
        [&](const model::ClusterView& view) {
          const auto* moved = view.find_submix(submix);
          return moved != nullptr && moved->node == node && moved->state == model::SubmixState::running &&
                 made_of(view).receiver.frames > before.frames + 60 && !made_of(view).is_handing_over &&
                 is_counted(view);
        },
        kPatience))
        << submix << " to " << node << '\n'
        << cluster_.log_of("a") << cluster_.log_of("b") << cluster_.log_of("mix");
    const auto view = cluster_.view();
    return {made_of(*view).receiver.frames_duplicated - before.frames_duplicated,
            view->find_submix("mix")->late_frames - late_before};
  }

  show::Show show_ = show::parse(kShow, "test").value();
  LiveCluster cluster_;
};

TEST_P(Moving, ASubmixGoesToAndFroWhileTheShowRuns) {
  for (const auto* submix : {"effect", "source"}) {
    for (int i = 0; i < 3; ++i) {
      for (const auto* node : {"b", "a"}) {
        const auto cost = move(submix, node);
        EXPECT_LE(cost.held + cost.late, 1U)
            << submix << " to node " << node << ": " << cost.held << " frames held, " << cost.late << " late";
        if (HasFailure()) return;
      }
    }
  }
  for (const auto* node : {"a", "b"})
    EXPECT_EQ(cluster_.log_of(node).find("has not taken over in time"), std::string::npos);
}

TEST_P(Moving, InAPauseNothingIsLostToADeadline) {
  cluster_.set_paused(true);
  ASSERT_TRUE(cluster_.wait_until_still());
  ASSERT_TRUE(show::assign(show_, "effect", "b").has_value());
  cluster_.apply(show::to_toml(show_));
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    const auto* moved = view.find_submix("effect");
    return moved->node == "b" && moved->state == model::SubmixState::running;
  }));
  const auto before = made_of(*cluster_.view()).receiver.frames;
  cluster_.set_paused(false);
  EXPECT_TRUE(cluster_.wait_until(
      [&](const model::ClusterView& view) {
        return made_of(view).receiver.frames > before + 60 && is_counted(view);
      },
      kPatience));
}

INSTANTIATE_TEST_SUITE_P(Over, Moving, ::testing::Bool(),
                         [](const auto& test) { return std::string(test.param ? "SharedMemory" : "Tcp"); });

}  // namespace
}  // namespace submix::testing
