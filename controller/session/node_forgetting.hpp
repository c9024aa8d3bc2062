// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "common/base/result.hpp"
#include "common/cluster/cluster.hpp"

#include <string>

namespace submix::session {

/// Removes a node's report from the cluster.
///
/// Cost     At most a second, while a node of this name is asked for.
/// Errors   The node is in the show, runs, or is unknown; the message says what to do.
[[nodiscard]] Result<void> forget_node(cluster::Cluster& cluster, const std::string& node);

}  // namespace submix::session
