// SPDX-License-Identifier: GPL-3.0-or-later
// Programs die and come back; submixes move. The rest goes on.

#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include "common/show/edit.hpp"
#include "common/show/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

namespace submix::testing {
namespace {

class Resilience : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"})
      cluster_.start_node(node);
    cluster_.apply(kCheckedDuo);
    ASSERT_TRUE(cluster_.wait_until_all_run());
  }

  void expect_frames_go_on() {
    const auto before = frames_of(*cluster_.view(), "mix", "fade");
    EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
      return frames_of(view, "mix", "fade") > before + 60;
    }));
  }

  LiveCluster cluster_;
};

TEST_F(Resilience, AKilledPerformerRejoinsWhereTheMixWaited) {
  cluster_.end_node("left", SIGKILL);
  ASSERT_TRUE(cluster_.wait_until_still());
  cluster_.start_node("left");
  expect_frames_go_on();
  const auto view = cluster_.view();
  EXPECT_EQ(counter_of(*view, "mix", "check-left", "torn"), 0U);
  EXPECT_EQ(counter_of(*view, "mix", "check-right", "lost"), 0U);
}

TEST_F(Resilience, AKilledMixStartsAgainAndTheSourcesGoOn) {
  cluster_.end_node("mix", SIGKILL);
  cluster_.start_node("mix");
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_frames_go_on();
  for (const auto* slot : {"check-left", "check-right"}) {
    EXPECT_EQ(counter_of(*cluster_.view(), "mix", slot, "lost"), 0U);
    EXPECT_EQ(counter_of(*cluster_.view(), "mix", slot, "torn"), 0U);
  }
}

TEST_F(Resilience, ASubmixMovesToAnotherNode) {
  auto show = show::parse(kCheckedDuo, "test").value();
  ASSERT_TRUE(show::assign(show, "left", "right").has_value());
  cluster_.apply(show::to_toml(show));
  ASSERT_TRUE(cluster_.wait_until([](const model::ClusterView& view) {
    const auto* left = view.find_submix("left");
    return left != nullptr && left->node == "right" && left->state == model::SubmixState::running &&
           left->fps > 0;
  }));
  expect_frames_go_on();
}

TEST_F(Resilience, AParameterChangesWhileThePatchRuns) {
  auto show = show::parse(kCheckedDuo, "test").value();
  ASSERT_TRUE(show::set_parameter(show, {"mix", "fade"}, "fader", 0.25).has_value());
  const auto before = frames_of(*cluster_.view(), "mix", "fade");
  cluster_.apply(show::to_toml(show));
  expect_frames_go_on();
  EXPECT_GT(frames_of(*cluster_.view(), "mix", "fade"),
            before);  // the count goes on: the patch was not rebuilt
  EXPECT_EQ(counter_of(*cluster_.view(), "mix", "check-left", "lost"), 0U);
}

TEST_F(Resilience, AStreamsLinksJoinAndLeaveWithoutARestart) {
  auto show = show::parse(kCheckedDuo, "test").value();
  const auto epoch = cluster_.view()->streams.at(0).sender.epoch;
  for (const int count : {4, 1, 8, 2}) {
    const auto before = frames_of(*cluster_.view(), "mix", "fade");
    ASSERT_TRUE(show::set_links(show, "left", count, {}).has_value());
    cluster_.apply(show::to_toml(show));
    EXPECT_TRUE(cluster_.wait_until([&](const model::ClusterView& view) {
      const auto& links = view.streams.at(0).sender.links;
      return links.size() == static_cast<std::size_t>(count) &&
             std::all_of(links.begin(), links.end(), [](const model::LinkView& link) {
               return link.state == telemetry::LinkState::open && link.bytes > 0;
             });
    })) << count;
    expect_frames_go_on();
    EXPECT_GT(frames_of(*cluster_.view(), "mix", "fade"),
              before);  // the count goes on: no patch was rebuilt
  }
  const auto view = cluster_.view();
  EXPECT_EQ(view->streams.at(0).sender.epoch, epoch);
  for (const auto* counter : {"lost", "duplicated", "held", "reordered", "torn"})
    EXPECT_EQ(counter_of(*view, "mix", "check-left", counter), 0U) << counter;
}

TEST_F(Resilience, AStaleControllerIsRefused) {
  const auto seen = cluster_.control().show().value();
  cluster_.apply(seen.value.toml);  // another author writes
  const auto written = cluster_.control().put_show({seen.value.toml, "stale"}, seen.revision);
  ASSERT_FALSE(written.has_value());
  EXPECT_TRUE(written.error().is_conflict);
}

}  // namespace
}  // namespace submix::testing
