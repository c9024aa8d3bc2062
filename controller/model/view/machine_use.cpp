// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/machine_use.hpp"

#include <algorithm>
#include <numeric>

namespace submix::model {

MachineUse machine_use(const ClusterView& view, const std::string& host) {
  MachineUse use;
  for (const auto& node : view.nodes) {
    if (node.host != host) continue;
    use.nodes += (use.nodes.empty() ? "" : ", ") + node.name;
    use.node_cores += node.cpu_cores;
    // Each node reports the whole machine, at slightly different times.
    const auto& shares = node.core_shares;
    use.all_cores = std::max(use.all_cores, std::accumulate(shares.begin(), shares.end(), 0.0));
  }
  use.all_cores = std::max(use.all_cores, use.node_cores);
  return use;
}

bool is_full(const ClusterView& view, const std::string& node) {
  const auto* found = view.find_node(node);
  return found != nullptr &&
         machine_use(view, found->host).share_of(found->cores) >= kMachineIsFull;
}

}  // namespace submix::model
