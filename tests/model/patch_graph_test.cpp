// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/patch_graph.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace submix::model {
namespace {

using ::testing::ElementsAre;
using GraphEdge = PatchGraph::Edge;
using Reads = std::vector<std::string>;

PluginMap plugins_of_graphs() {
  PluginMap map;
  for (const auto& [id, kind] : {std::pair("clip", "source"), std::pair("glow", "filter"),
                                 std::pair("mix", "mixer"), std::pair("window", "output")}) {
    map[id].id = id;
    map[id].kind = kind;
  }
  return map;
}

show::Slot drawn(std::string name, std::string plugin,
                 std::optional<std::vector<std::string>> inputs = {}) {
  show::Slot slot;
  slot.name = std::move(name);
  slot.plugin = std::move(plugin);
  slot.inputs = std::move(inputs);
  return slot;
}

PatchGraph graph_made_of(std::vector<show::Slot> slots) {
  show::Show show;
  show.submixes.push_back({"a", {}, std::move(slots)});
  return graph_of(show, show.submixes.front(), plugins_of_graphs());
}

TEST(PatchGraph, PutsAChainInARow) {
  const auto made = graph_made_of({drawn("c", "clip"), drawn("g", "glow"), drawn("w", "window")});
  EXPECT_THAT(made.columns, ElementsAre(0, 1, 2));
  EXPECT_THAT(made.edges, ElementsAre(GraphEdge{0, 1, 0, 0}, GraphEdge{1, 2, 0, 0}));
  EXPECT_THAT(made.inputs, ElementsAre(0, 1, 1));
}

TEST(PatchGraph, HasAnEdgeForEachInputOfAMixer) {
  const auto made = graph_made_of({drawn("c", "clip"), drawn("d", "clip"), drawn("g", "glow"),
                                   drawn("m", "mix", Reads{"c", "g", "c"}), drawn("w", "window")});
  EXPECT_THAT(made.edges,
              ElementsAre(GraphEdge{1, 2, 0, 0}, GraphEdge{0, 3, 0, 0}, GraphEdge{2, 3, 1, 0},
                          GraphEdge{0, 3, 2, 0}, GraphEdge{3, 4, 0, 0}));
  EXPECT_THAT(made.columns, ElementsAre(1, 0, 1, 2, 3)) << "c stands beside its reader";
}

TEST(PatchGraph, LeadsADelayedInputBack) {
  const auto made = graph_made_of({drawn("c", "clip"), drawn("m", "mix", Reads{"c", "g@1"}),
                                   drawn("g", "glow"), drawn("w", "window", Reads{"m"})});
  EXPECT_THAT(made.columns, ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(made.edges, ElementsAre(GraphEdge{0, 1, 0, 0}, GraphEdge{2, 1, 1, 1},
                                      GraphEdge{1, 2, 0, 0}, GraphEdge{1, 3, 0, 0}));
}

TEST(PatchGraph, LeavesOutAnInputWithoutASlot) {
  const auto made = graph_made_of({drawn("c", "clip"), drawn("g", "glow", Reads{"gone"})});
  EXPECT_TRUE(made.edges.empty());
  EXPECT_THAT(made.inputs, ElementsAre(0, 1));
}

TEST(PatchGraph, EndsForACircle) {
  const auto made = graph_made_of({drawn("a", "glow", Reads{"b"}), drawn("b", "glow", Reads{"a"})});
  EXPECT_THAT(made.columns, ElementsAre(1, 1));
}

TEST(PatchGraph, IsEmptyForAnEmptyPatch) {
  const auto made = graph_made_of({});
  EXPECT_TRUE(made.columns.empty());
  EXPECT_TRUE(made.edges.empty());
}

}  // namespace
}  // namespace submix::model
