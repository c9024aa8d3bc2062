// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/edits/show_files.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

using ::testing::ElementsAre;

void add_node(model::ClusterView& view, const std::string& name, const std::string& host,
              model::Health health = model::Health::healthy) {
  model::NodeView node;
  node.name = name;
  node.host = host;
  node.health = health;
  view.nodes.push_back(std::move(node));
}

model::NodeView pc_named(const std::string& host) {
  model::NodeView pc;
  pc.host = host;
  return pc;
}

TEST(NodesForNewShow, LetThePcMixOnWhichTheShowIsBegun) {
  model::ClusterView view;
  add_node(view, "desk", "desk");
  add_node(view, "rack1", "rack1");
  add_node(view, "rack2", "rack2", model::Health::gone);
  EXPECT_THAT(nodes_for_new_show(view, pc_named("desk")), ElementsAre("rack1", "desk"));
  EXPECT_THAT(nodes_for_new_show(view, pc_named("rack1")), ElementsAre("desk", "rack1"));
}

TEST(NodesForNewShow, LetTheNodeMixThatMixesThePresentShow) {
  model::ClusterView view;
  for (const auto* name : {"left", "mix", "right"})
    add_node(view, name, "laptop");
  show::Show show;
  show.nodes = {{"left", {}}, {"right", {}}, {"mix", {}}};
  view.show = std::make_shared<const show::Show>(std::move(show));
  EXPECT_THAT(nodes_for_new_show(view, pc_named("laptop")), ElementsAre("left", "right", "mix"));
}

}  // namespace
}  // namespace submix::ui
