// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controller/model/view/cluster_view.hpp"

#include <string>

namespace submix::model {

/// What a computer's cores did in the last second. There may be several nodes on it, and other programs.
struct MachineUse {
  std::string nodes;      ///< "left, mix"
  double node_cores = 0;  ///< cores' worth of work of its nodes
  double all_cores = 0;   ///< of all programs, as far as that is measured; never less

  [[nodiscard]] double share_of(int cores) const { return cores > 0 ? all_cores / cores : 0.0; }
};

[[nodiscard]] MachineUse machine_use(const ClusterView& view, const std::string& host);

}  // namespace submix::model
