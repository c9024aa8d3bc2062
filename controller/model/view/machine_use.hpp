// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::model {

/// Load of a computer's cores in the last second. The computer may run several nodes and other
/// programs.
struct MachineUse {
  std::string nodes;      ///< "left, mix"
  double node_cores = 0;  ///< cores' worth of work of its nodes
  double all_cores = 0;   ///< of all programs, where measured; never less than node_cores

  [[nodiscard]] double share_of(int cores) const { return cores > 0 ? all_cores / cores : 0.0; }
};

/// Whether both nodes run on one computer. Names of computers are compared only where a node does
/// not tell more.
[[nodiscard]] bool are_on_one_machine(const NodeView& node, const NodeView& other);
/// Whether frames between them can pass by shared memory: on one computer, and in one network
/// namespace of it.
[[nodiscard]] bool can_share_memory(const NodeView& node, const NodeView& other);
/// Of the computer on which `node` runs.
[[nodiscard]] MachineUse machine_use(const ClusterView& view, const NodeView& node);

inline constexpr double kMachineIsFull = 0.9;  ///< share of its cores
/// Whether the node's machine has no time left. False for an unknown node.
[[nodiscard]] bool is_full(const ClusterView& view, const std::string& node);

}  // namespace submix::model
