// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/show/document.hpp"
#include "controller/model/view/macro_plugins.hpp"

#include <cstddef>
#include <vector>

namespace submix::model {

/// A patch as a drawing: its slots in columns, and an edge for each input that reads a slot.
///
/// Shape    Slots are named by their place in the submix. A slot stands to the right of every slot
///          that it reads in the same frame. A slot that reads nothing stands beside its first
///          reader. An input that names no slot of the submix has no edge.
struct PatchGraph {
  struct Edge {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t input = 0;  ///< of `to`, from 0
    std::size_t delay = 0;  ///< in frames

    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<std::size_t> columns;  ///< by slot, from 0
  std::vector<std::size_t> inputs;   ///< by slot, how many it reads
  std::vector<Edge> edges;           ///< by slot and input
};

/// The inputs are stated by the show or implied by the plugins. Any show has a graph, also one with
/// a circle: the show may be another program's.
[[nodiscard]] PatchGraph graph_of(const show::Show& show, const show::Submix& submix,
                                  const PluginMap& plugins);

}  // namespace submix::model
