// SPDX-License-Identifier: GPL-3.0-or-later
#include "controller/model/view/machine_use.hpp"

#include "common/base/machine_id.hpp"

#include <algorithm>
#include <numeric>

namespace submix::model {

namespace {

bool do_both_tell(const NodeView& node, const NodeView& other) {
  return !node.machine.empty() && !other.machine.empty();
}

bool is_one_host(const NodeView& node, const NodeView& other) {
  return !node.host.empty() && node.host == other.host;
}

}  // namespace

bool are_on_one_machine(const NodeView& node, const NodeView& other) {
  if (node.name == other.name) return true;
  return do_both_tell(node, other) ? is_one_machine(node.machine, other.machine)
                                   : is_one_host(node, other);
}

bool can_share_memory(const NodeView& node, const NodeView& other) {
  if (node.name == other.name) return true;
  return do_both_tell(node, other) ? node.machine == other.machine : is_one_host(node, other);
}

MachineUse machine_use(const ClusterView& view, const NodeView& node) {
  MachineUse use;
  for (const auto& each : view.nodes) {
    if (!are_on_one_machine(each, node)) continue;
    use.nodes += (use.nodes.empty() ? "" : ", ") + each.name;
    use.node_cores += each.cpu_cores;
    // Each node reports the whole machine, at slightly different times.
    const auto& shares = each.core_shares;
    use.all_cores = std::max(use.all_cores, std::accumulate(shares.begin(), shares.end(), 0.0));
  }
  use.all_cores = std::max(use.all_cores, use.node_cores);
  return use;
}

bool is_full(const ClusterView& view, const std::string& node) {
  const auto* found = view.find_node(node);
  return found != nullptr && machine_use(view, *found).share_of(found->cores) >= kMachineIsFull;
}

}  // namespace submix::model
