// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/ui/pages/file_choice.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

namespace submix::ui {
namespace {

/// Nodes left and right with the same files.
model::ClusterView view_of(const std::string& host_of_left, const std::string& host_of_right) {
  model::ClusterView view;
  model::MediaLists media;
  for (const auto& [name, host] :
       {std::pair{"left", host_of_left}, std::pair{"right", host_of_right}}) {
    model::NodeView node;
    node.name = name;
    node.host = host;
    view.nodes.push_back(std::move(node));
    cluster::MediaFile file;
    file.name = "bars.mp4";
    media[name].list.files = {file};
  }
  view.media = std::make_shared<const model::MediaLists>(std::move(media));
  return view;
}

TEST(FileChoice, ListsTheFilesOfOnePcOnce) {
  const auto view = view_of("laptop", "laptop");
  EXPECT_FALSE(is_listed_elsewhere("left", "", view));
  EXPECT_TRUE(is_listed_elsewhere("right", "", view));
}

TEST(FileChoice, ListsTheFilesOfOnePcBelowTheWantedNode) {
  const auto view = view_of("laptop", "laptop");
  EXPECT_TRUE(is_listed_elsewhere("left", "right", view));
  EXPECT_FALSE(is_listed_elsewhere("right", "right", view));
}

// PCs that were installed from one image. The files of the second one could not be chosen.
TEST(FileChoice, ListsTheFilesOfEachPcAlsoIfBothHaveOneName) {
  auto view = view_of("debian", "debian");
  view.nodes[0].machine = "boot-a/1";
  view.nodes[1].machine = "boot-b/1";
  EXPECT_FALSE(is_listed_elsewhere("right", "", view));
}

TEST(FileChoice, ListsTheFilesOfEachPc) {
  const auto view = view_of("desk", "rack1");
  EXPECT_FALSE(is_listed_elsewhere("left", "", view));
  EXPECT_FALSE(is_listed_elsewhere("right", "", view));
}

}  // namespace
}  // namespace submix::ui
