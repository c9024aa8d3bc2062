// SPDX-License-Identifier: GPL-3.0-or-later
// A submix moves to another node while the show runs. Its
// consumer holds one frame at most, and all frames are counted rightly.

#include "tests/system/live_cluster.hpp"
#include "tests/system/machine_watch.hpp"

#include "common/show/edit.hpp"
#include "common/show/parse.hpp"
#include "controller/model/verdict/ledger.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace submix::testing {
namespace {

constexpr int kTrips = 3;     // of each submix, to the other node and back
constexpr int kTripsMax = 8;  // including the trips that the machine disturbed

// `source` feeds `effect`, `effect` feeds `mix`. `source` and `effect` move between the nodes a and
// b.
constexpr const char* kMovedShow = R"toml(
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

constexpr std::array kMoveNodes{"a", "b", "mix"};

std::string witness_of(std::string_view node) {
  return "witness-" + std::string(node);
}

/// Each node has a witness that stays there and waits for no other node. A witness misses a frame
/// only if the machine itself is disturbed.
show::Show show_with_witnesses() {
  auto show = show::parse(kMovedShow, "test").value();
  for (const auto* node : kMoveNodes) {
    show.submixes.push_back(
        {witness_of(node),
         node,
         {{"pattern", "pattern", {}, {}, false}, {"sink", "null", {}, {}, false}}});
  }
  return show;
}

/// Number of submixes that nodes ended because another node took over.
int handovers_in(const std::string& log, std::string_view submix) {
  const auto text = std::string(submix) + ": its new node has taken over";
  int handovers = 0;
  for (auto at = log.find(text); at != std::string::npos; at = log.find(text, at + 1))
    ++handovers;
  return handovers;
}

/// false: streams use TCP, as between machines. true: shared memory.
class Moving : public ::testing::TestWithParam<bool> {
 protected:
  Moving() {
    for (auto& stream : show_.streams)
      stream.is_local_allowed = GetParam();
  }
  void SetUp() override {
    for (const auto* node : kMoveNodes)
      cluster_.start_node(node);
    cluster_.apply(show::to_toml(show_));
    ASSERT_TRUE(cluster_.wait_until_all_run());
    ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) { return is_counted(view); },
                                    LiveCluster::kPatience));
  }

  static bool is_counted(const model::ClusterView& view) {
    return model::is_balanced(model::make_ledger(view));
  }

  struct Cost {
    std::uint64_t held = 0;          // frames that the consumer repeated during the move
    std::uint64_t late = 0;          // frames so late that the rate fell
    std::uint64_t disturbances = 0;  // of the machine

    [[nodiscard]] bool is_fair() const { return held + late <= 1; }
  };

  /// Frames that witnesses missed, and shorter stalls of the machine.
  [[nodiscard]] std::uint64_t disturbances(const model::ClusterView& view) const {
    std::uint64_t count = machine_.stalls();
    for (const auto* node : kMoveNodes)
      count += view.find_submix(witness_of(node))->missed_frames;
    return count;
  }

  // Witnesses are read first and last, so their span contains the span of all others.
  Cost move(std::string_view submix, const std::string& node) {
    const auto disturbances_before = disturbances(*cluster_.view());
    const auto before = cluster_.view_of_now();
    const auto& made_before = made_of(*before).receiver;
    EXPECT_TRUE(show::assign(show_, submix, node).has_value());
    cluster_.apply(show::to_toml(show_));
    EXPECT_TRUE(cluster_.wait_until(
        [&](const model::ClusterView& view) {
          const auto* moved = view.find_submix(submix);
          return moved != nullptr && moved->node == node &&
                 moved->state == model::SubmixState::running &&
                 made_of(view).receiver.frames > made_before.frames + 60 &&
                 !made_of(view).is_handing_over && is_counted(view);
        },
        LiveCluster::kPatience))
        << submix << " to " << node << '\n'
        << cluster_.log_of("a") << cluster_.log_of("b") << cluster_.log_of("mix");
    const auto after = cluster_.view();
    return {made_of(*after).receiver.frames_duplicated - made_before.frames_duplicated,
            after->find_submix("mix")->late_frames - before->find_submix("mix")->late_frames,
            disturbances(*cluster_.view_of_now()) - disturbances_before};
  }

  /// Moves to the other node and back. False: the trip cost too much, but the machine was
  /// disturbed.
  bool is_trip_fair(std::string_view submix) {
    bool is_fair = true;
    for (const auto* node : {"b", "a"}) {
      const auto cost = move(submix, node);
      is_fair = is_fair && cost.is_fair();
      EXPECT_TRUE(cost.is_fair() || cost.disturbances > 0)
          << submix << " to node " << node << ": " << cost.held << " frames held, " << cost.late
          << " late";
    }
    return is_fair;
  }

  /// Makes kTrips trips that cost little. Returns why there were fewer, because the machine was
  /// disturbed; empty: there were as many. Fails if there was none: each move may disturb the
  /// machine itself.
  std::string travel(std::string_view submix) {
    int fair = 0;
    int trips = 0;
    for (; fair < kTrips && trips < kTripsMax && !HasFailure(); ++trips) {
      if (is_trip_fair(submix)) ++fair;
    }
    if (fair == kTrips) return {};
    const auto text = fmt::format(
        "{}: the machine was disturbed in {} of {} trips, and each of them had more than one frame "
        "held or late\n",
        submix, trips - fair, trips);
    EXPECT_GT(fair, 0) << text;
    return text;
  }

  show::Show show_ = show_with_witnesses();
  MachineWatch machine_;
  LiveCluster cluster_;
};

TEST_P(Moving, ASubmixGoesToAndFroWhileTheShowRuns) {
  std::string disturbed;
  for (const auto* submix : {"effect", "source"}) {
    disturbed += travel(submix);
    if (HasFailure()) return;
  }
  for (const auto* submix : {"effect", "source"}) {
    for (const auto* node : {"a", "b"}) {
      EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView&) {
        return handovers_in(cluster_.log_of(node), submix) >= kTrips;
      })) << submix
          << " has run on at node " << node << "\n"
          << cluster_.log_of(node);
    }
  }
  if (!disturbed.empty()) GTEST_SKIP() << disturbed;
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
      LiveCluster::kPatience));
}

INSTANTIATE_TEST_SUITE_P(Over, Moving, ::testing::Bool(), [](const auto& test) {
  return std::string(test.param ? "SharedMemory" : "Tcp");
});

}  // namespace
}  // namespace submix::testing
