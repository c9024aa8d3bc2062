// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/cluster_view.hpp"

#include "controller/model/view/data_addresses.hpp"

#include <gtest/gtest.h>

namespace submix::model {
namespace {

class ClusterViewTest : public ::testing::Test {
 protected:
  ClusterViewTest() {
    add_node("healthy", Health::healthy);
    add_node("starting", Health::starting);
    add_node("silent", Health::silent);
    view_.streams.emplace_back().name = "left";
    view_.streams.back().to = {"mix", "in"};
  }

  void add_node(const char* name, Health health) {
    auto& node = view_.nodes.emplace_back();
    node.name = name;
    node.health = health;
  }

  ClusterView view_;
};

TEST_F(ClusterViewTest, FindsOnlyHealthyNodes) {
  ASSERT_NE(view_.find_healthy_node("healthy"), nullptr);
  EXPECT_EQ(view_.find_healthy_node("healthy")->name, "healthy");
  EXPECT_EQ(view_.find_healthy_node("starting"), nullptr);
  EXPECT_EQ(view_.find_healthy_node("silent"), nullptr);
  EXPECT_EQ(view_.find_healthy_node("unknown"), nullptr);
}

// `submix doctor` found "a show would suffer" for nodes that had ended minutes before.
TEST_F(ClusterViewTest, HasNoDataAddressesOfNodesThatEndedLongAgo) {
  for (auto& node : view_.nodes)
    node.endpoints.push_back({.address = "198.18.0.2", .port = 7400});
  view_.nodes.back().silence = kSilentAfter;
  EXPECT_EQ(data_addresses(view_).back(), "silent=198.18.0.2:7400");
  view_.nodes.back().silence = kGoneAfter;
  EXPECT_EQ(data_addresses(view_).back(), "starting=198.18.0.2:7400");
}

TEST_F(ClusterViewTest, CountsStartingNodesAsPresent) {
  EXPECT_NE(view_.find_present_node("healthy"), nullptr);
  EXPECT_NE(view_.find_present_node("starting"), nullptr);
  EXPECT_EQ(view_.find_present_node("silent"), nullptr);
  EXPECT_EQ(view_.find_present_node(""), nullptr);
}

TEST_F(ClusterViewTest, FindsTheStreamOfAnInput) {
  ASSERT_NE(view_.find_stream_to({"mix", "in"}), nullptr);
  EXPECT_EQ(view_.find_stream_to({"mix", "in"})->name, "left");
  EXPECT_EQ(view_.find_stream_to({"mix", "other"}), nullptr);
}

}  // namespace
}  // namespace submix::model
