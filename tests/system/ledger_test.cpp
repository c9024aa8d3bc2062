// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger accounts for every frame of a real show:
// while it runs, in a pause, and after a performer's death.

#include "tests/system/live_cluster.hpp"
#include "tests/system/shows.hpp"

#include "common/base/files.hpp"
#include "controller/model/verdict/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace submix::testing {
namespace {

std::string text_of(const std::vector<model::LedgerEdge>& ledger) {
  std::string text;
  for (const auto& edge : ledger)
    text += edge.name + ": " + std::string(to_string(edge.balance)) + ' ' + edge.remark + '\n';
  return text;
}

bool is_exact(const model::ClusterView& view) {
  const auto ledger = model::make_ledger(view);
  return std::ranges::all_of(
      ledger, [](const model::LedgerEdge& edge) { return edge.balance == model::Balance::exact; });
}

class LedgerOfProcesses : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const auto* node : {"left", "right", "mix"})
      cluster_.start_node(node);
    cluster_.apply(kCheckedDuo);
    ASSERT_TRUE(cluster_.wait_until_all_run());
  }

  void expect_balance() {
    EXPECT_TRUE(cluster_.wait_until(
        [](const model::ClusterView& view) { return model::is_balanced(model::make_ledger(view)); },
        LiveCluster::kPatience))
        << text_of(model::make_ledger(*cluster_.view()));
    for (const auto& edge : model::make_ledger(*cluster_.view()))
      EXPECT_EQ(edge.produced, edge.delivered + edge.dropped() + edge.in_flight()) << edge.name;
  }
  void expect_exact_in_a_pause() {
    cluster_.set_paused(true);
    EXPECT_TRUE(cluster_.wait_until(is_exact, LiveCluster::kPatience))
        << text_of(model::make_ledger(*cluster_.view()));
    expect_balance();
    cluster_.set_paused(false);
  }

  LiveCluster cluster_;
};

TEST_F(LedgerOfProcesses, BalancesWhileFramesFlowAndIsExactInAPause) {
  expect_balance();
  expect_exact_in_a_pause();
  const auto ledger = model::make_ledger(*cluster_.view());
  EXPECT_GT(ledger[0].delivered, 0U);
  EXPECT_EQ(ledger[0].dropped(), 0U);
}

TEST_F(LedgerOfProcesses, BalancesAfterAPerformerWasKilled) {
  cluster_.end_node("left", SIGKILL);
  ASSERT_TRUE(cluster_.wait_until_still());
  EXPECT_FALSE(model::is_balanced(model::make_ledger(*cluster_.view())))
      << "nobody tells of its frames";
  cluster_.start_node("left");
  ASSERT_TRUE(cluster_.wait_until_all_run());
  expect_balance();
  expect_exact_in_a_pause();
}

TEST_F(LedgerOfProcesses, IsTypedAsACommand) {
  cluster_.set_paused(true);
  ASSERT_TRUE(cluster_.wait_until(is_exact, LiveCluster::kPatience));
  const auto program = std::filesystem::path(SUBMIX_NODE).parent_path() / "submix";
  const auto log = cluster_.folder() / "ledger.json";
  auto started = ChildProcess::start(
      {program.string(), "--nats", cluster_.nats_url(), "--json", "ledger"}, log);
  ASSERT_TRUE(started.has_value()) << started.error().message;
  ASSERT_TRUE(cluster_.wait_until(
      [&](const model::ClusterView&) { return started->exit_status().has_value(); },
      LiveCluster::kPatience));
  EXPECT_EQ(started->exit_status(), 0);
  const auto ledger = nlohmann::json::parse(read_text_file(log).value());
  EXPECT_EQ(ledger["edges"][0]["edge"], "left");
  EXPECT_EQ(ledger["edges"][0]["balance"], "exact");
}

}  // namespace
}  // namespace submix::testing
