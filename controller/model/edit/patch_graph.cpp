// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/edit/patch_graph.hpp"

#include "controller/model/edit/patch_wiring.hpp"

#include <algorithm>
#include <utility>

namespace submix::model {
namespace {

std::vector<PatchGraph::Edge> edges_of(PatchWiring& wiring) {
  const auto& slots = wiring.slots();
  std::vector<PatchGraph::Edge> edges;
  for (std::size_t to = 0; to < slots.size(); ++to) {
    const auto& reads = slots[to].reads;
    for (std::size_t input = 0; input < reads.size(); ++input) {
      const auto from = wiring.index_of(reads[input].slot);
      if (from < slots.size()) edges.push_back({from, to, input, reads[input].delay});
    }
  }
  return edges;
}

// Each round moves slots behind those that they read. A patch without a circle is in order after as
// many rounds as it has slots; a circle would go on for ever.
void put_behind_sources(PatchGraph& graph) {
  auto& columns = graph.columns;
  for (std::size_t round = 0; round < columns.size(); ++round) {
    for (const auto& [from, to, input, delay] : graph.edges) {
      if (delay == 0) columns[to] = std::max(columns[to], columns[from] + 1);
    }
  }
  for (auto& column : columns)
    column = std::min(column, columns.size() - 1);
}

void put_beside_first_reader(PatchGraph& graph) {
  for (std::size_t slot = 0; slot < graph.columns.size(); ++slot) {
    if (graph.inputs[slot] > 0) continue;
    auto nearest = graph.columns.size();
    for (const auto& edge : graph.edges) {
      if (edge.from == slot) nearest = std::min(nearest, graph.columns[edge.to]);
    }
    if (nearest < graph.columns.size() && nearest > 0) graph.columns[slot] = nearest - 1;
  }
}

}  // namespace

PatchGraph graph_of(const show::Show& show, const show::Submix& submix, const PluginMap& plugins) {
  PatchWiring wiring(show, submix, plugins);
  PatchGraph graph;
  graph.edges = edges_of(wiring);
  graph.columns.assign(wiring.slots().size(), 0);
  for (const auto& wired : wiring.slots())
    graph.inputs.push_back(wired.reads.size());
  put_behind_sources(graph);
  put_beside_first_reader(graph);
  return graph;
}

}  // namespace submix::model
